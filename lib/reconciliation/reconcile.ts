import { setTimeout as sleep } from 'node:timers/promises';
import { ChainError, type ChainReader } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import type { Findings } from '@/lib/ledger/findings';
import type { Coin } from '@/lib/shared/coins';
import { addSeconds, type Clock } from '@/lib/shared/time';
import { auditBooks, type BooksAudit } from './audit-books';
import type { Basis } from './basis-repository';
import { type BalanceComparison, BasisMovedError, compareBalances } from './compare-balances';
import { allAddresses, sampleAddresses } from './plan-addresses';
import { completenessOf, type ReconcileReport } from './report';
import { saveRun, selectRotation } from './run-repository';
import { saveSurpluses } from './surplus-repository';

const MOST_ATTEMPTS = 3;
const PAUSE_MS = 1_000;

export interface ReconcileOptions {
  clock: Clock;
  signal: AbortSignal;
  /** `all` of the coin's addresses, or at most so many of them: a sample that goes on where the last one ended. */
  addresses: 'all' | { budget: number };
  /** Closed invoices are judged when they expired in the last so many days; null for all. */
  closedDays: number | null;
  /** Also judges the invoices for which no coin is chosen yet; once per instance is enough. */
  withUnpriced: boolean;
  /** A further look whose findings belong to the report, taken before the others. */
  furtherAudit?: () => Promise<Findings>;
}

/**
 * Compares a coin's chain, ledger and invoices: balances of our addresses with what the ledger says lies on
 * them, at one height that is final and confirmed; what lies at all places with what all owners have, and the ledger with the
 * deposits; every invoice with what its facts decide. Changes nothing but the place of the sample's rotation, and what is known
 * of unexplained money on its addresses. A node that cannot be used is part of the report.
 */
export async function reconcile(
  db: Database,
  coin: Coin,
  reader: ChainReader,
  options: ReconcileOptions,
): Promise<ReconcileReport> {
  const further = await options.furtherAudit?.();
  for (let attempt = 1; ; attempt += 1) {
    const now = options.clock();
    const books = await auditBooks(db, {
      coin,
      closedSince: options.closedDays === null ? null : addSeconds(now, -options.closedDays * 24 * 3600),
      withUnpriced: options.withUnpriced,
      signal: options.signal,
      now,
    });
    if (further) books.findings.addAll(further);
    if (!books.basis) return toReport(books, now, 'Nothing is confirmed on the chain yet.');
    try {
      return await compare(db, reader, options, { ...books, basis: books.basis }, now);
    } catch (error) {
      if (options.signal.aborted || !(error instanceof ChainError || error instanceof BasisMovedError)) throw error;
      const isFinal = error instanceof ChainError || attempt === MOST_ATTEMPTS;
      if (isFinal) return toReport(books, now, error.message);
      // The chain moved under the comparison: the watcher needs a moment to follow.
      await sleep(PAUSE_MS, undefined, { signal: options.signal });
    }
  }
}

async function compare(
  db: Database,
  reader: ChainReader,
  { addresses, clock }: ReconcileOptions,
  books: BooksAudit & { basis: Basis },
  now: Date,
): Promise<ReconcileReport> {
  const { basis } = books;
  if (addresses === 'all') {
    const balances = await compareBalances(db.pool, reader, basis, allAddresses(db.pool, basis));
    return toReport(books, now, balances);
  }
  const rotation = await selectRotation(db.pool, basis.coin);
  const { chunks, next } = await sampleAddresses(db.pool, basis, rotation, { budget: addresses.budget, now });
  const balances = await compareBalances(db.pool, reader, basis, chunks);
  const report = toReport(books, now, balances);
  await saveRun(db.pool, report, { ...next, suspectIds: balances.suspectIds }, clock());
  await saveSurpluses(db.pool, basis, chunks.flat(), balances.surpluses, clock());
  return report;
}

/** @param chain what the chain showed, or why it could not be compared */
function toReport(books: BooksAudit, now: Date, chain: BalanceComparison | string): ReconcileReport {
  const balances = typeof chain === 'string' ? null : chain;
  const { coin, findings, backlog, inFlight } = books;
  if (balances) findings.addAll(balances.findings);
  const writtenOff = balances?.writtenOff ?? { listed: [], count: 0, units: 0n };
  const waitsMs = backlog.oldestAt ? now.getTime() - backlog.oldestAt.getTime() : 0;
  return {
    coin,
    height: balances ? (books.basis?.height ?? null) : null,
    notCompared: typeof chain === 'string' ? chain : null,
    addressCount: balances?.addressCount ?? 0,
    invoiceCount: books.invoiceCount,
    onChainUnits: balances?.onChainUnits ?? 0n,
    completeness: balances ? completenessOf(balances.explainedUnits, balances.onChainUnits) : 0,
    timelinessSeconds: Math.max(0, Math.round(waitsMs / 1000)),
    settlementBacklog: backlog.settlementCount,
    lateInvoiceCount: books.lateInvoiceCount,
    differences: findings.listed,
    differenceCount: findings.count,
    differenceUnits: findings.units,
    inFlight: [...inFlight.listed, ...writtenOff.listed],
    inFlightCount: inFlight.count + writtenOff.count,
    inFlightUnits: inFlight.units + writtenOff.units,
  };
}
