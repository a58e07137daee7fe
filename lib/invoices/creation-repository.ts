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

const FIELDS = `user_id, api_key_id, description, external_code, amount_eur_cents, expiry_minutes, created_at, expires_at,
  tolerance_basis_points`;
const VALUES = `$userId, $apiKeyId, $description, $externalCode, $amountEurCents, $expiryMinutes, $createdAt, $expiresAt,
  u.tolerance_basis_points`;

const INSERT_UNPRICED = statement<NewInvoice, InsertedInvoice>(
  'invoices.insert-unpriced',
  `WITH i AS (INSERT INTO invoice (${FIELDS}) SELECT ${VALUES} FROM user_account u WHERE u.id = $userId
     RETURNING id, uuid, user_id)
   SELECT i.id, i.uuid, NULL::int AS "walletId", NULL::uuid AS "walletUuid", NULL AS "walletAddress",
     NULL::int AS "chainEpoch", NULL::int AS "confirmationsRequired", u.name AS "merchantName"
   FROM i JOIN user_account u ON u.id = i.user_id`,
);

/** Stores an invoice whose coin the customer will choose. */
export function insertUnpricedInvoice(sql: Sql, invoice: NewInvoice): Promise<InsertedInvoice> {
  return INSERT_UNPRICED.one(sql, invoice);
}

/** Cursors of chains whose watcher works. */
const LIVE = (now: string) => `paused_reason IS NULL AND height IS NOT NULL
  AND updated_at > ${now}::timestamptz - interval '${WATCHER_STALE_SECONDS} s'`;
const LIVE_CURSOR = (now: string) =>
  `SELECT epoch, confirmations FROM chain_cursor WHERE chain = $chain::chain AND ${LIVE(now)}`;

const claim = (userId: string) =>
  `claim_wallet(${userId}, $coin::coin, $chain::chain, 'invoice', $family::address_family, $hasOwnKey)`;

const INSERT_PRICED = statement<NewInvoice & Pricing, InsertedInvoice>(
  'invoices.insert-priced',
  `WITH c AS (${LIVE_CURSOR('$createdAt')}), w AS (SELECT w.* FROM c, ${claim('$userId')} w),
     i AS (INSERT INTO invoice (${FIELDS}, coin, chain, amount_units, rate, wallet_id, chain_epoch)
       SELECT ${VALUES}, $coin::coin, $chain::chain, $amountUnits, $rate, w.id, c.epoch
       FROM w, c, user_account u WHERE u.id = $userId RETURNING id, uuid, user_id)
   SELECT i.id, i.uuid, w.id AS "walletId", w.uuid AS "walletUuid", w.address AS "walletAddress",
     c.epoch AS "chainEpoch", c.confirmations AS "confirmationsRequired", u.name AS "merchantName"
   FROM i JOIN user_account u ON u.id = i.user_id, w, c`,
  { prepared: true },
);

/**
 * Stores an invoice with its coin, amount and a wallet of its own, in one statement.
 * @returns null when there is no free watched address or no live watcher
 */
export function insertPricedInvoice(sql: Sql, invoice: NewInvoice, pricing: Pricing): Promise<InsertedInvoice | null> {
  return INSERT_PRICED.first(sql, { ...invoice, ...pricing });
}

const PRICE = statement<Pricing & { uuid: string; now: Date }>(
  'invoices.price',
  `WITH open AS (SELECT id, user_id FROM invoice
       WHERE uuid = $uuid AND coin IS NULL AND status = 'pending' AND expires_at > $now::timestamptz FOR NO KEY UPDATE),
     c AS (${LIVE_CURSOR('$now')}), w AS (SELECT w.id FROM open, c, ${claim('open.user_id')} w)
   UPDATE invoice SET coin = $coin::coin, chain = $chain::chain, amount_units = $amountUnits, rate = $rate,
     wallet_id = w.id, chain_epoch = c.epoch
   FROM open, w, c WHERE invoice.id = open.id`,
);

/**
 * Gives a pending invoice without a coin its coin, amount and wallet.
 * @returns false when it has a coin, is over, or no address is free
 */
export async function priceInvoice(sql: Sql, uuid: string, pricing: Pricing, now: Date): Promise<boolean> {
  return (await PRICE.count(sql, { ...pricing, uuid, now })) === 1;
}

const LIVE_CHAINS = statement<{ now: Date }, { chain: Chain }>(
  'invoices.live-chains',
  `SELECT chain FROM chain_cursor WHERE ${LIVE('$now')}`,
);

/** Chains that have a live watcher: what is paid on them can be sold. */
export async function selectLiveChains(sql: Sql, now: Date): Promise<Chain[]> {
  return (await LIVE_CHAINS.all(sql, { now })).map((row) => row.chain);
}
