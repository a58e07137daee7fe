import type { Sql } from '@/lib/db/database';
import type { ChainCursor, Invoice, User, Wallet } from '@/lib/db/generated/client';
import type { OuterRow, Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Chain } from '@/lib/shared/chains';
import type { Coin } from '@/lib/shared/coins';
import { WATCHER_STALE_SECONDS } from '@/lib/shared/limits';
import { addSeconds } from '@/lib/shared/time';

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

/** Cursors of chains whose watcher was seen since then have one that works. */
const liveSince = (now: Date) => addSeconds(now, -WATCHER_STALE_SECONDS);

/** The function's row; without a coin all that comes of one is null. */
const CREATE = statement<NewInvoice & NullablePricing & { liveSince: Date }, InsertedInvoice>(
  'invoices.create',
  `SELECT id, uuid, expires_at AS "expiresAt", wallet_id AS "walletId", wallet_uuid AS "walletUuid", wallet_address AS "walletAddress",
     chain_epoch AS "chainEpoch", confirmations AS "confirmationsRequired", merchant_name AS "merchantName"
   FROM create_invoice($userId, $apiKeyId, $description, $externalCode, $amountEurCents, $expiryMinutes, $createdAt,
     $coin::coin, $amountUnits, $rate, $liveSince)`,
  { prepared: true },
);

/** Stores an invoice whose coin the customer will choose. */
export function insertUnpricedInvoice(sql: Sql, invoice: NewInvoice): Promise<InsertedInvoice> {
  const pricing = { coin: null, amountUnits: null, rate: null };
  return CREATE.one(sql, { ...invoice, ...pricing, liveSince: liveSince(invoice.createdAt) });
}

/**
 * Stores an invoice with its coin, amount and a wallet of its own, in one statement.
 * @returns null when there is no free watched address or no live watcher
 */
export function insertPricedInvoice(sql: Sql, invoice: NewInvoice, pricing: Pricing): Promise<InsertedInvoice | null> {
  return CREATE.first(sql, { ...invoice, ...pricing, liveSince: liveSince(invoice.createdAt) });
}

const PRICE = statement<Pricing & { uuid: string; now: Date; liveSince: Date }, { priced: boolean }>(
  'invoices.price',
  'SELECT price_invoice($uuid, $coin::coin, $amountUnits, $rate, $now, $liveSince) AS priced',
);

/**
 * Gives a pending invoice without a coin its coin, amount and wallet.
 * @returns false when it has a coin, is over, or no address is free
 */
export async function priceInvoice(sql: Sql, uuid: string, pricing: Pricing, now: Date): Promise<boolean> {
  return (await PRICE.one(sql, { ...pricing, uuid, now, liveSince: liveSince(now) })).priced;
}

const LIVE_CHAINS = statement<{ liveSince: Date }, { chain: Chain }>(
  'invoices.live-chains',
  'SELECT chain FROM chain_cursor WHERE paused_reason IS NULL AND height IS NOT NULL AND updated_at > $liveSince',
);

/** Chains that have a live watcher: what is paid on them can be sold. */
export async function selectLiveChains(sql: Sql, now: Date): Promise<Chain[]> {
  return (await LIVE_CHAINS.all(sql, { liveSince: liveSince(now) })).map((row) => row.chain);
}
