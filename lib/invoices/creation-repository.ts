import type { AddressSource } from '@/lib/chains/registry';
import type { Sql } from '@/lib/db/database';
import type { ChainCursor, Invoice, User, Wallet } from '@/lib/db/generated/client';
import type { OuterRow, Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Chain } from '@/lib/shared/chains';
import type { Coin } from '@/lib/shared/coins';
import { WATCHER_STALE_SECONDS } from '@/lib/shared/limits';

export type NewInvoice = Row<
  Invoice,
  | 'userId'
  | 'apiKeyId'
  | 'description'
  | 'externalCode'
  | 'amountEurCents'
  | 'expiryMinutes'
  | 'createdAt'
  | 'expiresAt'
>;

/** A price in a coin: what is due in base units, at so many EUR per coin. */
export interface Pricing extends AddressSource {
  coin: Coin;
  amountUnits: bigint;
  rate: string;
}

/** What a new invoice gets from the database. */
export type InsertedInvoice = Row<Invoice, 'id' | 'uuid'> &
  OuterRow<Invoice, 'walletId' | 'chainEpoch'> & {
    walletUuid: Row<Wallet, 'uuid'>['uuid'] | null;
    walletAddress: Row<Wallet, 'address'>['address'] | null;
    confirmationsRequired: Row<ChainCursor, 'confirmations'>['confirmations'] | null;
    merchantName: Row<User, 'name'>['name'];
  };

/** What a merchant may have: invoices that take an address in a minute, and open ones at once. */
export interface InvoiceQuota {
  mostAMinute: number;
  mostOpen: number;
}

/** Which quota refuses, and after how many seconds another try makes sense. */
export interface QuotaRefusal {
  refusal: 'minute' | 'open';
  retryAfterSeconds: number;
}
interface Granted {
  refusal: null;
}

/** Counts an invoice against its merchant's quotas, in the statement that stores it. */
const takeQuota = (userId: string, at: string, { opens, prices }: { opens: boolean; prices: boolean }) =>
  `take_invoice_quota(${userId}, ${at}, ${opens}, ${prices}, $mostOpen, $mostAMinute)`;
const TAKEN = 'q.refusal, q.retry_after_seconds AS "retryAfterSeconds"';

const FIELDS = `user_id, api_key_id, description, external_code, amount_eur_cents, expiry_minutes, created_at, expires_at,
  tolerance_basis_points`;
const VALUES = `$userId, $apiKeyId, $description, $externalCode, $amountEurCents, $expiryMinutes, $createdAt, $expiresAt,
  u.tolerance_basis_points`;

/** A statement's only row: of an invoice that was not stored there is nothing but who refused it, if a quota did. */
type Stored = QuotaRefusal | (Granted & (InsertedInvoice | { id: null }));
/** What became of a new invoice: stored, refused by a quota, or null when no address is free or no watcher lives. */
type Insertion = (Granted & InsertedInvoice) | QuotaRefusal | null;

const toInsertion = (row: Stored): Insertion => (row.refusal === null && row.id === null ? null : row);

const INSERT_UNPRICED = statement<NewInvoice & InvoiceQuota, Stored>(
  'invoices.insert-unpriced',
  `WITH q AS (SELECT * FROM ${takeQuota('$userId', '$createdAt', { opens: true, prices: false })}),
     i AS (INSERT INTO invoice (${FIELDS}) SELECT ${VALUES} FROM q JOIN user_account u ON u.id = q.granted_to
       RETURNING id, uuid, user_id)
   SELECT i.id, i.uuid, NULL::int AS "walletId", NULL::uuid AS "walletUuid", NULL AS "walletAddress",
     NULL::int AS "chainEpoch", NULL::int AS "confirmationsRequired", u.name AS "merchantName", ${TAKEN}
   FROM q LEFT JOIN (i JOIN user_account u ON u.id = i.user_id) ON true`,
);

/** Stores an invoice whose coin the customer will choose, unless its merchant has too many open. */
export async function insertUnpricedInvoice(
  sql: Sql,
  invoice: NewInvoice,
  quota: InvoiceQuota,
): Promise<NonNullable<Insertion>> {
  const insertion = toInsertion(await INSERT_UNPRICED.one(sql, { ...invoice, ...quota }));
  if (!insertion) throw new Error(`There is no merchant ${invoice.userId}.`);
  return insertion;
}

/** Cursors of chains whose watcher works. */
const LIVE = (now: string) => `paused_reason IS NULL AND height IS NOT NULL
  AND updated_at > ${now}::timestamptz - interval '${WATCHER_STALE_SECONDS} s'`;
const LIVE_CURSOR = (now: string) =>
  `SELECT epoch, confirmations FROM chain_cursor WHERE chain = $chain::chain AND ${LIVE(now)}`;

const claim = (userId: string) =>
  `claim_wallet(${userId}, $coin::coin, $chain::chain, 'invoice', $family::address_family, $hasOwnKey)`;

const INSERT_PRICED = statement<NewInvoice & Pricing & InvoiceQuota, Stored>(
  'invoices.insert-priced',
  `WITH q AS (SELECT * FROM ${takeQuota('$userId', '$createdAt', { opens: true, prices: true })}),
     c AS (${LIVE_CURSOR('$createdAt')}),
     w AS (SELECT w.* FROM q, c, ${claim('q.granted_to')} w WHERE q.refusal IS NULL),
     i AS (INSERT INTO invoice (${FIELDS}, coin, chain, amount_units, rate, wallet_id, chain_epoch)
       SELECT ${VALUES}, $coin::coin, $chain::chain, $amountUnits, $rate, w.id, c.epoch
       FROM w, c, user_account u WHERE u.id = $userId RETURNING id, uuid, user_id)
   SELECT i.id, i.uuid, w.id AS "walletId", w.uuid AS "walletUuid", w.address AS "walletAddress",
     c.epoch AS "chainEpoch", c.confirmations AS "confirmationsRequired", u.name AS "merchantName", ${TAKEN},
     CASE WHEN q.refusal IS NULL AND i.id IS NULL THEN return_invoice_quota(q.granted_to, q.opening, q.pricing) END
   FROM q LEFT JOIN (i JOIN user_account u ON u.id = i.user_id CROSS JOIN w CROSS JOIN c) ON true`,
  { prepared: true },
);

/** Stores an invoice with its coin, amount and a wallet of its own, in one statement. */
export async function insertPricedInvoice(
  sql: Sql,
  invoice: NewInvoice,
  pricing: Pricing,
  quota: InvoiceQuota,
): Promise<Insertion> {
  return toInsertion(await INSERT_PRICED.one(sql, { ...invoice, ...pricing, ...quota }));
}

const PRICE = statement<
  Pricing & InvoiceQuota & { uuid: string; now: Date },
  QuotaRefusal | (Granted & { isPriced: boolean })
>(
  'invoices.price',
  `WITH open AS (SELECT id, user_id FROM invoice
       WHERE uuid = $uuid AND coin IS NULL AND status = 'pending' AND expires_at > $now::timestamptz FOR NO KEY UPDATE),
     q AS (SELECT q.* FROM open, ${takeQuota('open.user_id', '$now', { opens: false, prices: true })} q),
     c AS (${LIVE_CURSOR('$now')}), w AS (SELECT w.id FROM q, c, ${claim('q.granted_to')} w WHERE q.refusal IS NULL),
     p AS (UPDATE invoice SET coin = $coin::coin, chain = $chain::chain, amount_units = $amountUnits, rate = $rate,
         wallet_id = w.id, chain_epoch = c.epoch
       FROM open, w, c WHERE invoice.id = open.id RETURNING invoice.id)
   SELECT p.id IS NOT NULL AS "isPriced", ${TAKEN},
     CASE WHEN q.refusal IS NULL AND p.id IS NULL THEN return_invoice_quota(q.granted_to, q.opening, q.pricing) END
   FROM q LEFT JOIN p ON true`,
);

/**
 * Gives a pending invoice without a coin its coin, amount and wallet.
 * @returns whether it did, or the refusal by a quota; false when it has a coin, is over, or no address is free
 */
export async function priceInvoice(
  sql: Sql,
  uuid: string,
  pricing: Pricing,
  { now, quota }: { now: Date; quota: InvoiceQuota },
): Promise<boolean | QuotaRefusal> {
  const row = await PRICE.first(sql, { ...pricing, ...quota, uuid, now });
  if (row === null) return false;
  return row.refusal === null ? row.isPriced : row;
}

const LIVE_CHAINS = statement<{ now: Date }, { chain: Chain }>(
  'invoices.live-chains',
  `SELECT chain FROM chain_cursor WHERE ${LIVE('$now')}`,
);

/** Chains that have a live watcher: what is paid on them can be sold. */
export async function selectLiveChains(sql: Sql, now: Date): Promise<Chain[]> {
  return (await LIVE_CHAINS.all(sql, { now })).map((row) => row.chain);
}
