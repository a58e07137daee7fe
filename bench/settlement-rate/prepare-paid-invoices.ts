import type { Sql } from '@/lib/db/database';

/**
 * Pending invoices of one API key whose money has arrived and is confirmed, each with its customer's email, its wallet and its
 * settlement task, made set by set. Prices, addresses and hashes are numbers: nothing here is derived or signed.
 */
export async function preparePaidInvoices(
  sql: Sql,
  { userId, apiKeyId }: { userId: number; apiKeyId: number },
  count: number,
): Promise<void> {
  await sql.query(
    `INSERT INTO watch_key (family, purpose, path, public_key) VALUES ('EVM', 'invoice', 'bench', 'bench')
     ON CONFLICT DO NOTHING`,
  );
  await sql.query(
    `WITH k AS (SELECT id, (SELECT coalesce(max(derivation_index), 0) FROM pool_address) AS last FROM watch_key WHERE purpose = 'invoice'),
       a AS (INSERT INTO pool_address (watch_key_id, family, purpose, derivation_index, address, generation, claimed_at)
         SELECT k.id, 'EVM', 'invoice', k.last + n, '0x' || lpad(to_hex(k.last + n), 40, '0'), 1, now() FROM k, generate_series(1, $2) n
         RETURNING id, address),
       w AS (INSERT INTO wallet (user_id, coin, type, pool_address_id, address)
         SELECT $1, 'ETH', 'invoice', id, address FROM a RETURNING id, pool_address_id),
       i AS (INSERT INTO invoice (user_id, api_key_id, email, amount_eur_cents, coin, chain, amount_units, rate, wallet_id, chain_epoch, expiry_minutes, expires_at)
         SELECT $1, $3, 'elena@example.com', 3118, 'ETH', 'ethereum', 10000000000000000, 3118.4, id, 0, 60, now() + interval '1 hour' FROM w),
       d AS (INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, wallet_id, amount_units, block_height, block_hash, block_time)
         SELECT 'ETH', 'ethereum', '0x' || md5(id::text), '0x' || md5(id::text), pool_address_id, id, 10000000000000000, 90, '0xblock', now() FROM w)
     INSERT INTO settlement_task (wallet_id, chain) SELECT id, 'ethereum' FROM w`,
    [userId, count, apiKeyId],
  );
  await sql.query('ANALYZE');
}
