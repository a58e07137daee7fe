import { liveSince } from '@/lib/chain-sync/progress';
import type { Sql } from '@/lib/db/database';
import type { ChainCursor, Invoice, User, Wallet } from '@/lib/db/generated/client';
import type { OuterRow, Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Chain } from '@/lib/shared/chains';
import type { Coin } from '@/lib/shared/coins';

export type NewInvoice = Row<
  Invoice,
  'userId' | 'apiKeyId' | 'description' | 'externalCode' | 'amountEurCents' | 'expiryMinutes' | 'createdAt'
>;

/** A price in a coin: what is due in base units, at so many EUR per coin. */
export interface Pricing {
  coin: Coin;
  amountUnits: bigint;
  rate: string;
}

type NullablePricing = { [Field in keyof Pricing]: Pricing[Field] | null };

/** What a new invoice gets from the database. */
export type InsertedInvoice = Row<Invoice, 'id' | 'uuid' | 'expiresAt'> &
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

/** A statement's only row: of an invoice that was not stored there is nothing but who refused it, if a quota did. */
type Stored = QuotaRefusal | (Granted & (InsertedInvoice | { id: null }));
/** What became of a new invoice: stored, refused by a quota, or null when no address is free or no watcher lives. */
type Insertion = (Granted & InsertedInvoice) | QuotaRefusal | null;

const toInsertion = (row: Stored): Insertion => (row.refusal === null && row.id === null ? null : row);

/** Stores an invoice, with or without a coin; what its merchant has no room for is not even begun. */
const create = (name: string, prices: boolean) =>
  statement<NewInvoice & NullablePricing & InvoiceQuota & { liveSince: Date }, Stored>(
    name,
    `WITH q AS (SELECT * FROM ${takeQuota('$userId', '$createdAt', { opens: true, prices })}),
       i AS (SELECT i.* FROM q, create_invoice(q.granted_to, $apiKeyId, $description, $externalCode, $amountEurCents,
         $expiryMinutes, $createdAt, $coin::coin, $amountUnits, $rate, $liveSince) i WHERE q.refusal IS NULL)
     SELECT i.id, i.uuid, i.expires_at AS "expiresAt", i.wallet_id AS "walletId", i.wallet_uuid AS "walletUuid",
       i.wallet_address AS "walletAddress", i.chain_epoch AS "chainEpoch", i.confirmations AS "confirmationsRequired",
       i.merchant_name AS "merchantName", ${TAKEN},
       CASE WHEN q.refusal IS NULL AND i.id IS NULL THEN return_invoice_quota(q.granted_to, q.opening, q.pricing) END
     FROM q LEFT JOIN i ON true`,
    { prepared: true },
  );

const CREATE_UNPRICED = create('invoices.create-unpriced', false);
const CREATE_PRICED = create('invoices.create-priced', true);

/** Stores an invoice whose coin the customer will choose, unless its merchant has too many open. */
export async function insertUnpricedInvoice(
  sql: Sql,
  invoice: NewInvoice,
  quota: InvoiceQuota,
): Promise<NonNullable<Insertion>> {
  const pricing = { coin: null, amountUnits: null, rate: null };
  const row = await CREATE_UNPRICED.one(sql, {
    ...invoice,
    ...pricing,
    ...quota,
    liveSince: liveSince(invoice.createdAt),
  });
  const insertion = toInsertion(row);
  if (!insertion) throw new Error(`There is no merchant ${invoice.userId}.`);
  return insertion;
}

/** Stores an invoice with its coin, amount and a wallet of its own, in one statement. */
export async function insertPricedInvoice(
  sql: Sql,
  invoice: NewInvoice,
  pricing: Pricing,
  quota: InvoiceQuota,
): Promise<Insertion> {
  const since = liveSince(invoice.createdAt);
  return toInsertion(await CREATE_PRICED.one(sql, { ...invoice, ...pricing, ...quota, liveSince: since }));
}

const PRICE = statement<
  Pricing & InvoiceQuota & { uuid: string; now: Date; liveSince: Date },
  QuotaRefusal | (Granted & { isPriced: boolean })
>(
  'invoices.price',
  `WITH open AS (SELECT user_id FROM invoice
       WHERE uuid = $uuid AND coin IS NULL AND status = 'pending' AND expires_at > $now::timestamptz FOR NO KEY UPDATE),
     q AS (SELECT q.* FROM open, ${takeQuota('open.user_id', '$now', { opens: false, prices: true })} q),
     p AS (SELECT CASE WHEN q.refusal IS NULL
         THEN price_invoice($uuid, $coin::coin, $amountUnits, $rate, $now, $liveSince) END AS done FROM q)
   SELECT coalesce(p.done, false) AS "isPriced", ${TAKEN},
     CASE WHEN q.refusal IS NULL AND p.done IS NOT TRUE
       THEN return_invoice_quota(q.granted_to, q.opening, q.pricing) END
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
  const row = await PRICE.first(sql, { ...pricing, ...quota, uuid, now, liveSince: liveSince(now) });
  if (row === null) return false;
  return row.refusal === null ? row.isPriced : row;
}

const LIVE_CHAINS = statement<{ liveSince: Date }, { chain: Chain }>(
  'invoices.live-chains',
  'SELECT chain FROM chain_cursor WHERE paused_reason IS NULL AND height IS NOT NULL AND updated_at > $liveSince',
);

/** Chains that are followed: what is paid on them can be sold. */
export async function selectLiveChains(sql: Sql, now: Date): Promise<Chain[]> {
  return (await LIVE_CHAINS.all(sql, { liveSince: liveSince(now) })).map((row) => row.chain);
}
