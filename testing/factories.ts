import { randomBytes, randomUUID } from 'node:crypto';
import { HDNodeWallet } from 'ethers';
import { addressCodec } from '@/lib/chains/registry';
import type { Sql } from '@/lib/db/database';
import type { Chain } from '@/lib/shared/chains';
import type { Coin } from '@/lib/shared/coins';

const ETH = 10n ** 18n;

/** Runs an INSERT that returns one row. */
async function insertOne<T extends object>(sql: Sql, text: string, values: unknown[]): Promise<T> {
  const { rows } = await sql.query<T>(text, values);
  const [row] = rows;
  if (!row) throw new Error('The row was not stored.');
  return row;
}

/** A merchant; the password cannot be used to log in. */
export function makeUser(
  sql: Sql,
  { name = 'Bottega Marani', email = `${randomUUID()}@example.com` } = {},
): Promise<{ id: number; email: string }> {
  return insertOne(
    sql,
    `INSERT INTO user_account (name, email, password_hash) VALUES ($1, $2, 'none') RETURNING id, email`,
    [name, email],
  );
}

/** A chain whose watcher works and has read up to `height`. */
export async function makeCursor(
  sql: Sql,
  {
    chain = 'ethereum' as Chain,
    height = 100n,
    time = new Date(),
    confirmations = 1,
    loadedGeneration = 1_000_000n,
    updatedAt = new Date(),
  } = {},
): Promise<void> {
  await sql.query(
    `INSERT INTO chain_cursor (chain, genesis_hash, height, hash, chain_time, head_height, confirmations,
       loaded_generation, updated_at, confirmed_height, head_time, looked_at)
     VALUES ($1::chain, '0xgenesis', $2::bigint, '0xhead', $3, $2, $4::int, $5, $6, $2::bigint - $4::int + 1, $3, $6)
     ON CONFLICT (chain) DO UPDATE SET height = excluded.height, chain_time = excluded.chain_time,
       head_height = excluded.head_height, confirmations = excluded.confirmations,
       confirmed_height = excluded.confirmed_height, loaded_generation = excluded.loaded_generation,
       updated_at = excluded.updated_at, head_time = excluded.head_time, looked_at = excluded.looked_at`,
    [chain, height, time, confirmations, loadedGeneration, updatedAt],
  );
}

/** A fresh price, EUR per coin. */
export async function makeRate(
  sql: Sql,
  { coin = 'ETH' as Coin, rate = '3118.4', at = new Date() } = {},
): Promise<void> {
  await sql.query(
    `INSERT INTO coin_rate (coin, rate, sources, fetched_at) VALUES ($1::coin, $2, '[]', $3)
     ON CONFLICT (coin) DO UPDATE SET rate = $2, fetched_at = $3`,
    [coin, rate, at],
  );
}

/** Each database has keys of its own: two never share an address. */
function makeAccountKey(purpose: 'invoice' | 'primary'): string {
  const path = `m/44'/60'/${purpose === 'invoice' ? 1 : 0}'`;
  return HDNodeWallet.fromSeed(randomBytes(32)).derivePath(path).neuter().extendedKey;
}

interface MadePool {
  count?: number;
  purpose?: 'invoice' | 'primary';
  generation?: bigint;
}

/** One at a time: the next index is asked for before it is used. */
let lastPool: Promise<unknown> = Promise.resolve();

/** Free pool addresses of the EVM family, derived from the published key as the product does it. */
export function makePool(sql: Sql, made: MadePool = {}): Promise<string[]> {
  const pool = lastPool.then(() => insertPool(sql, made));
  lastPool = pool.catch(() => undefined);
  return pool;
}

async function insertPool(sql: Sql, { count = 10, purpose = 'invoice', generation = 1n }: MadePool): Promise<string[]> {
  const key = await insertOne<{ id: number; next: number; publicKey: string }>(
    sql,
    `WITH k AS (INSERT INTO watch_key (family, purpose, path, public_key) VALUES ('EVM', $1::address_purpose, 'test', $2)
       ON CONFLICT (family, purpose) WHERE merchant_id IS NULL DO UPDATE SET path = 'test' RETURNING id, public_key)
     SELECT id, public_key AS "publicKey",
       (SELECT count(*)::int FROM pool_address WHERE purpose = $1::address_purpose) AS next FROM k`,
    [purpose, makeAccountKey(purpose)],
  );
  const codec = addressCodec('EVM');
  const addresses = Array.from({ length: count }, (_, n) => codec.derive(key.publicKey, key.next + n));
  await sql.query(
    `INSERT INTO pool_address (watch_key_id, family, purpose, derivation_index, address, generation)
     SELECT $1, 'EVM', $2::address_purpose, $3 + n - 1, address, $4 FROM unnest($5::text[]) WITH ORDINALITY AS a (address, n)`,
    [key.id, purpose, key.next, generation, addresses],
  );
  return addresses;
}

export interface MadeInvoice {
  id: number;
  uuid: string;
  walletId: number;
  poolAddressId: string;
}

/** A pending invoice in ETH with a wallet of its own, made directly in the tables. */
export async function makeInvoice(
  sql: Sql,
  {
    userId,
    dueUnits = ETH / 100n,
    expiresAt = new Date(Date.now() + 3_600_000),
    email = null as string | null,
    apiKeyId = null as number | null,
    externalCode = null as string | null,
  }: {
    userId: number;
    dueUnits?: bigint;
    expiresAt?: Date;
    email?: string | null;
    apiKeyId?: number | null;
    externalCode?: string | null;
  },
): Promise<MadeInvoice> {
  await makePool(sql, { count: 1 });
  return insertOne(
    sql,
    `WITH w AS (SELECT * FROM claim_wallet($1, 'ETH', 'invoice')),
       i AS (INSERT INTO invoice (user_id, api_key_id, external_code, email, amount_eur_cents, coin, chain, amount_units, rate,
           wallet_id, chain_epoch, expiry_minutes, expires_at)
         SELECT $1, $2, $3, $4, 3118, 'ETH', 'ethereum', $5, 3118.4, w.id, 0, 60, $6 FROM w RETURNING id, uuid, wallet_id)
     SELECT i.id, i.uuid, i.wallet_id AS "walletId",
       (SELECT p.id FROM pool_address p, w WHERE p.address = w.address) AS "poolAddressId" FROM i`,
    [userId, apiKeyId, externalCode, email, dueUnits.toString(), expiresAt],
  );
}

/** A wallet of another coin on an address that somebody has: the same key opens it on another chain. */
export function makeWallet(
  sql: Sql,
  { poolAddressId, userId, coin }: { poolAddressId: string | bigint; userId: number; coin: Coin },
): Promise<{ id: number; uuid: string }> {
  return insertOne(
    sql,
    `INSERT INTO wallet (user_id, coin, type, pool_address_id, address)
     SELECT $2, $3::coin, 'invoice', id, address FROM pool_address WHERE id = $1 RETURNING id, uuid`,
    [poolAddressId, userId, coin],
  );
}

/** Money on an invoice's wallet, as the watcher records it, with its settlement task. */
export async function makeDeposit(
  sql: Sql,
  {
    invoice,
    amountUnits = ETH / 100n,
    height = 100n,
    time = new Date(),
    txHash = `0x${randomBytes(32).toString('hex')}`,
  }: { invoice: MadeInvoice; amountUnits?: bigint; height?: bigint; time?: Date; txHash?: string },
): Promise<{ id: string; txHash: string }> {
  return insertOne(
    sql,
    `WITH t AS (INSERT INTO settlement_task (wallet_id, chain) VALUES ($3, 'ethereum'))
     INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, wallet_id, amount_units, block_height, block_hash, block_time, seen_at)
     VALUES ('ETH', 'ethereum', $1, $1, $2, $3, $4, $5, '0xblock', $6, $6) RETURNING id, tx_hash AS "txHash"`,
    [txHash, invoice.poolAddressId, invoice.walletId, amountUnits.toString(), height, time],
  );
}

/** Takes a deposit's block off the chain, as a reorg does, with its settlement task. */
export async function orphanDeposit(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `WITH d AS (UPDATE deposit SET orphaned_at = now() WHERE id = $1 RETURNING wallet_id)
     INSERT INTO settlement_task (wallet_id, chain) SELECT wallet_id, 'ethereum' FROM d`,
    [id],
  );
}

/** An active API key with a webhook URL; its sealed values hold nothing that opens. */
export function makeApiKey(
  sql: Sql,
  { userId, webhookUrl = 'http://127.0.0.1:9/hook' as string | null }: { userId: number; webhookUrl?: string | null },
): Promise<{ id: number; uuid: string }> {
  return insertOne(
    sql,
    `INSERT INTO api_key (user_id, name, webhook_url, key_hash, key_mask, key_sealed, secret_sealed)
     VALUES ($1, 'Negozio', $2, $3, 'inc_live_test', '\\x00', '\\x00') RETURNING id, uuid`,
    [userId, webhookUrl, randomBytes(32).toString('hex')],
  );
}
