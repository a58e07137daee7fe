import type { Database, Sql } from '@/lib/db/database';
import { snapshot } from '@/lib/db/snapshot';
import { auditBookings } from '@/lib/deposits/booking-audit-repository';
import { auditLedger } from '@/lib/ledger/difference-repository';
import type { Findings } from '@/lib/ledger/findings';
import type { Coin } from '@/lib/shared/coins';
import { type Basis, selectBasis } from './basis-repository';
import { streamInvoiceFacts } from './invoice-facts-repository';
import { judgeInvoice } from './judge-invoice';
import { type Backlog, type InFlightSummary, selectBacklog, selectInFlight } from './progress-repository';

export interface AuditOptions {
  coin: Coin;
  /** Closed invoices that expired before are left out; null for none. */
  closedSince: Date | null;
  /** Also judges the invoices for which no coin is chosen yet. */
  withUnpriced: boolean;
  now: Date;
  signal: AbortSignal;
}

/** What the database alone tells. */
export interface BooksAudit {
  coin: Coin;
  /** The moment of all of it; null while nothing is confirmed on the chain. */
  basis: Basis | null;
  findings: Findings;
  invoiceCount: number;
  lateInvoiceCount: number;
  backlog: Backlog;
  inFlight: InFlightSummary;
}

const NOTHING_READ = { height: null, confirmedHeight: null, time: null, epoch: 0 };

/** Proves ledger, bookings and invoice states of a coin from each other, all as of one moment. */
export async function auditBooks(db: Pick<Database, 'pool'>, options: AuditOptions): Promise<BooksAudit> {
  const { coin, signal } = options;
  return snapshot(db, signal, async (sql) => {
    const basis = await selectBasis(sql, coin);
    const findings = await auditLedger(sql, coin);
    findings.addAll(await auditBookings(sql, coin));
    const invoices = await auditInvoices(sql, basis, findings, options);
    const backlog = basis ? await selectBacklog(sql, basis) : { oldestAt: null, settlementCount: 0 };
    const inFlight = basis ? await selectInFlight(sql, basis) : { listed: [], count: 0, units: 0n };
    return { coin, basis, findings, ...invoices, backlog, inFlight };
  });
}

async function auditInvoices(
  sql: Sql,
  basis: Basis | null,
  findings: Findings,
  options: AuditOptions,
): Promise<Pick<BooksAudit, 'invoiceCount' | 'lateInvoiceCount'>> {
  const counts = { invoiceCount: 0, lateInvoiceCount: 0 };
  for await (const invoices of streamInvoiceFacts(sql, options)) {
    options.signal.throwIfAborted();
    counts.invoiceCount += invoices.length;
    for (const invoice of invoices) {
      const judgement = judgeInvoice(invoice, basis?.chain ?? NOTHING_READ, options.now);
      if (judgement === 'late') counts.lateInvoiceCount += 1;
      else if (judgement !== 'agrees') findings.add(judgement);
    }
  }
  return counts;
}
