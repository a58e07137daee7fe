import type { Sql } from '@/lib/db/database';
import type { ChainCursor, Invoice } from '@/lib/db/generated/client';
import type { OuterRow, Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { DepositFact } from './counted-money';
import { INVOICE_EVENTS } from './events';
import type { ChainFacts, InvoiceFacts } from './state';

type Stored = Row<
  Invoice,
  | 'id'
  | 'uuid'
  | 'walletId'
  | 'status'
  | 'paymentState'
  | 'expiresAt'
  | 'reversedAt'
  | 'paidAt'
  | 'amountPaidUnits'
  | 'amountConfirmedUnits'
  | 'amountReceivedUnits'
  | 'toleranceBasisPoints'
  | 'version'
>;
type Price = Row<Invoice, 'coin' | 'chain' | 'amountUnits' | 'chainEpoch'>;

/** A stored invoice with everything that its decision follows from. */
export interface Settleable extends InvoiceFacts, Stored {
  deposits: DepositFact[];
  chainFacts: ChainFacts;
  /** What a roll-back took away may come back with the blocks that are still being read. */
  isReadingBranch: boolean;
  /** Settlement tasks that these facts answer. */
  taskIds: bigint[];
}

/** Seconds of the invoice `i`'s open time in which nobody read its coin's chain. */
export const DOWNTIME_SECONDS = `(SELECT coalesce(ceil(extract(epoch FROM
    sum(least(o.ended_at, i.expires_at) - greatest(o.started_at, i.created_at)))), 0)::int
  FROM watcher_outage o WHERE o.chain = i.chain AND o.ended_at > i.created_at AND o.started_at < i.expires_at)`;

/**
 * Since when the policy of the owner `u` takes late money of invoice `i`, or null. Whoever dealt with late money of an invoice
 * otherwise decides on all of it by hand. Follows from what was decided, never from what a settlement changes.
 */
export const TAKES_LATE_FROM = `CASE WHEN u.late_policy = 'accept' AND NOT EXISTS (SELECT 1 FROM invoice_event e
  WHERE e.invoice_id = i.id AND e.type = '${INVOICE_EVENTS.resolved}' AND e.payment_state = 'late')
  THEN u.late_policy_since END`;

/** An invoice's price, whole or not there at all. */
export function toPriced({ coin, chain, amountUnits, chainEpoch }: Price): InvoiceFacts['priced'] {
  if (coin === null || chain === null || amountUnits === null || chainEpoch === null) return null;
  return { coin, chain, dueUnits: amountUnits, chainEpoch };
}

/** A deposit as JSON, which has neither dates nor bigints. */
export interface JsonDeposit {
  units: string;
  height: string | null;
  time: string | null;
  seen: string;
  booked: string | null;
  orphaned: boolean;
  extra: number;
}

/** Deposits of an invoice as JSON: `d` is the deposit. One that an operator gave to its wallet is the wallet's since then. */
export const JSON_DEPOSIT = `json_build_object('units', d.amount_units::text, 'height', d.block_height::text,
  'time', d.block_time, 'seen', d.seen_at, 'orphaned', d.orphaned_at IS NOT NULL, 'extra', d.extra_confirmations,
  'booked', CASE WHEN coalesce(d.first_posted_at, d.posted_at) IS NOT NULL THEN greatest(coalesce(d.first_posted_at, d.posted_at),
    (SELECT max(a.at) FROM deposit_attribution a WHERE a.deposit_id = d.id)) END)`;

/** A deposit as the decision sees it. */
export function toDepositFact({ units, height, time, seen, booked, orphaned, extra }: JsonDeposit): DepositFact {
  return {
    amountUnits: BigInt(units),
    blockHeight: height === null ? null : BigInt(height),
    blockTime: time === null ? null : new Date(time),
    seenAt: new Date(seen),
    bookedAt: booked === null ? null : new Date(booked),
    orphaned,
    extraConfirmations: extra,
  };
}

type Fetched = Stored &
  Price &
  Pick<InvoiceFacts, 'acceptsLate' | 'takesLateFrom' | 'downtimeSeconds'> &
  OuterRow<ChainCursor, 'height' | 'epoch' | 'confirmedHeight'> & {
    time: Date | null;
    isReadingBranch: boolean;
    taskIds: bigint[] | null;
    deposits: JsonDeposit[] | null;
  };

const LOAD = statement<{ ids: readonly number[] }, Fetched>(
  'invoices.settlement-facts',
  `SELECT i.id, i.uuid, i.wallet_id AS "walletId", i.status, i.payment_state AS "paymentState", i.coin, i.chain,
      i.amount_units AS "amountUnits", i.chain_epoch AS "chainEpoch", i.expires_at AS "expiresAt",
      i.reversed_at AS "reversedAt", i.paid_at AS "paidAt", i.amount_paid_units AS "amountPaidUnits",
      i.amount_confirmed_units AS "amountConfirmedUnits", i.amount_received_units AS "amountReceivedUnits", i.version,
      i.tolerance_basis_points AS "toleranceBasisPoints", i.late_accepted_at IS NOT NULL AS "acceptsLate",
      ${TAKES_LATE_FROM} AS "takesLateFrom", ${DOWNTIME_SECONDS} AS "downtimeSeconds",
      c.height, c.chain_time AS time, c.epoch, c.confirmed_height AS "confirmedHeight",
      c.branch_height IS NOT NULL AS "isReadingBranch",
      (SELECT array_agg(t.id) FROM settlement_task t WHERE t.wallet_id = i.wallet_id) AS "taskIds",
      (SELECT json_agg(${JSON_DEPOSIT}) FROM deposit d WHERE d.wallet_id = i.wallet_id AND d.epoch = i.chain_epoch) AS deposits
    FROM unnest($ids::int[]) AS wanted (id) JOIN invoice i ON i.id = wanted.id JOIN user_account u ON u.id = i.user_id
      LEFT JOIN chain_cursor c ON c.chain = i.chain ORDER BY i.id`,
  { prepared: true },
);

/**
 * Reads invoices with all the facts behind their decisions: policy, outages, cursor, deposits and tasks, in one statement and
 * so as of one moment. Call it after `lockInvoices`: what is committed later leaves a settlement task of its own.
 * @throws Error when the chain of an invoice has no cursor
 */
export async function loadFacts(sql: Sql, ids: readonly number[]): Promise<Settleable[]> {
  return (await LOAD.all(sql, { ids })).map(toSettleable);
}

const NOT_READ: ChainFacts = { height: null, confirmedHeight: null, time: null, epoch: 0 };

function toSettleable(row: Fetched): Settleable {
  const { coin, chain, amountUnits, chainEpoch, height, epoch, confirmedHeight, time, taskIds, deposits, ...stored } =
    row;
  const priced = toPriced({ coin, chain, amountUnits, chainEpoch });
  if (priced && epoch === null) throw new Error(`Invoice ${stored.id} is on ${priced.chain}, which nobody reads.`);
  return {
    ...stored,
    priced,
    chainFacts: epoch === null ? NOT_READ : { height, confirmedHeight, time, epoch },
    deposits: (deposits ?? []).map(toDepositFact),
    taskIds: taskIds ?? [],
  };
}
