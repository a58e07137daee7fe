import { closeDatabase, openDatabase } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';

export interface TableSizes {
  /** Invoices of one merchant, each with a wallet, a deposit, three events and deliveries; one in fifty is open. */
  invoices: number;
  /** Addresses of the pool, the invoices' among them; 500 are free. */
  addresses: number;
}

/** The merchant whose invoices they are, and another one with a single key and no invoice. */
export interface LargeTables {
  merchantId: number;
  otherId: number;
  keyId: number;
}

const UNITS = '10000000000000000';
const FREE = 500;

/**
 * Fills the tables of a migrated, empty database as years of use do, in a few seconds: row by row with SQL alone, past the
 * triggers. What is in them is consistent enough to be listed, claimed, settled and expired; the ledger has balances and no entries.
 * @param superuserUrl whoever may switch triggers off
 */
export async function fillTables(superuserUrl: string, { invoices, addresses }: TableSizes): Promise<LargeTables> {
  const db = openDatabase(superuserUrl, {
    max: 1,
    applicationName: 'fill',
    patience: { lockMs: 10_000, statementMs: 170_000, answerMs: 175_000 },
  });
  try {
    const made = await transaction(db, async (sql) => {
      await sql.query('SET LOCAL session_replication_role = replica');
      const { rows } = await sql.query<LargeTables>(MERCHANTS);
      const [ids] = rows;
      if (!ids) throw new Error('No merchant was stored.');
      await sql.query(POOL, [addresses, invoices, FREE]);
      await sql.query(INVOICES, [ids.merchantId, ids.keyId, invoices, UNITS]);
      await sql.query(PRIMARY, [ids.merchantId]);
      for (const text of FOLLOWING) await sql.query(text);
      return ids;
    });
    // As autovacuum leaves them.
    await db.pool.query('VACUUM ANALYZE');
    return made;
  } finally {
    await closeDatabase(db);
  }
}

const MERCHANTS = `
  WITH m AS (INSERT INTO user_account (name, email, password_hash)
      VALUES ('Bottega', 'bottega@example.com', 'none'), ('Altra', 'altra@example.com', 'none') RETURNING id, email),
    k AS (INSERT INTO api_key (user_id, name, webhook_url, key_hash, key_mask, key_sealed, secret_sealed)
      SELECT id, 'Negozio', 'http://127.0.0.1:9/', md5(email) || md5(email), 'm', '\\x00', '\\x00' FROM m RETURNING id, user_id),
    w AS (INSERT INTO watch_key (family, purpose, path, public_key)
      VALUES ('EVM', 'invoice', 'fill', 'fill'), ('EVM', 'primary', 'fill', 'fill'))
  SELECT m.id AS "merchantId", k.id AS "keyId", (SELECT id FROM m WHERE email LIKE 'altra%') AS "otherId"
  FROM m JOIN k ON k.user_id = m.id WHERE m.email LIKE 'bottega%'`;

/** $1 addresses, of which the first $2 are invoices' and the last $3 free; a generation has 250. */
const POOL = `
  WITH g AS (INSERT INTO pool_generation VALUES ('EVM', 1 + $1::int / 250))
  INSERT INTO pool_address (watch_key_id, family, purpose, derivation_index, address, generation, claimed_at, burned_at)
  SELECT k.id, 'EVM', 'invoice', n, '0x' || md5(n::text) || '00000000', 1 + n / 250,
    CASE WHEN n <= $1::int - $3::int THEN now() - interval '30 days' END,
    CASE WHEN n > $2::int AND n <= $1::int - $3::int THEN now() - interval '30 days' END
  FROM generate_series(1, $1::int) n, watch_key k WHERE k.purpose = 'invoice'`;

/** $3 invoices of merchant $1 by key $2, a minute apart; of $4 each. */
const INVOICES = `
  WITH w AS (INSERT INTO wallet (user_id, coin, type, pool_address_id, address, created_at)
      SELECT $1::int, 'ETH', 'invoice', id, address, now() - pool_address.id * interval '1 minute' FROM pool_address
      ORDER BY pool_address.id LIMIT $3::int
      RETURNING id, pool_address_id, created_at, pool_address_id % 50 = 0 AS is_open),
    i AS (INSERT INTO invoice (user_id, api_key_id, description, external_code, email, amount_eur_cents, coin, chain, amount_units, rate,
        wallet_id, chain_epoch, expiry_minutes, created_at, expires_at, status, payment_state, amount_paid_units,
        amount_confirmed_units, amount_received_units, paid_at)
      SELECT $1::int, $2::int, 'Borsa ' || md5(id::text), 'ordine-' || id, md5(id::text) || '@example.com', 1000 + id % 90000, 'ETH',
        'ethereum', $4::numeric, 3118.4, id, 0, 60, created_at,
        CASE WHEN is_open THEN now() + interval '1 hour' ELSE created_at + interval '1 hour' END,
        CASE WHEN is_open THEN 'pending' ELSE 'paid' END::invoice_status,
        CASE WHEN is_open THEN 'unpaid' ELSE 'settled' END::payment_state,
        CASE WHEN is_open THEN 0 ELSE $4::numeric END, CASE WHEN is_open THEN 0 ELSE $4::numeric END,
        CASE WHEN is_open THEN 0 ELSE $4::numeric END, CASE WHEN is_open THEN NULL ELSE created_at END FROM w ORDER BY w.created_at
      RETURNING id, wallet_id),
    a AS (INSERT INTO ledger_account (coin, kind, wallet_id, balance)
      SELECT 'ETH', 'wallet', id, $4::numeric FROM w WHERE NOT is_open),
    c AS (INSERT INTO ledger_account (coin, kind, pool_address_id)
      SELECT 'ETH', 'custody', pool_address_id FROM w WHERE NOT is_open)
  INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, wallet_id, amount_units, block_height, block_hash,
    block_time, seen_at, posted_at, bookings)
  SELECT 'ETH', 'ethereum', '0x' || md5(id::text), '0x' || md5(id::text), pool_address_id, id, $4::numeric, 1 + id, '0xblock',
    created_at, created_at, created_at, 1 FROM w WHERE NOT is_open`;

/** The wallet of merchant $1 beside which the sum of the invoices' wallets is shown. */
const PRIMARY = `
  WITH p AS (INSERT INTO pool_address (watch_key_id, family, purpose, derivation_index, address, generation, claimed_at)
      SELECT id, 'EVM', 'primary', 0, '0x' || md5('primary') || '00000000', 1, now() FROM watch_key WHERE purpose = 'primary'
      RETURNING id, address)
  INSERT INTO wallet (user_id, coin, type, pool_address_id, address) SELECT $1::int, 'ETH', 'primary', id, address FROM p`;

const FOLLOWING = [
  `INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state, created_at)
   SELECT id, n, 'invoice.statusChanged', 'pending', 'paid', 'settled', created_at FROM invoice, generate_series(1, 3) n`,
  `INSERT INTO invoice_status_change (invoice_id, status, at)
   SELECT id, s.status, created_at FROM invoice, unnest('{pending,paid}'::invoice_status[]) AS s (status)`,
  `INSERT INTO webhook_delivery (event_id, api_key_id, url, status, attempt_count, created_at, completed_at)
   SELECT e.id, i.api_key_id, 'http://127.0.0.1:9/', 'delivered', 1, e.created_at, e.created_at
   FROM invoice_event e JOIN invoice i ON i.id = e.invoice_id`,
  `INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, http_status)
   SELECT id, 1, created_at, 20, 200 FROM webhook_delivery`,
  `INSERT INTO outgoing_mail (dedupe_key, recipient, status, event_id, kind, sent_at, created_at)
   SELECT 'receipt:' || e.id, 'x@example.com', 'delivered', e.id, 'receipt', e.created_at, e.created_at
   FROM invoice_event e WHERE e.sequence = 1`,
  `INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, amount_units, block_height, block_hash, block_time, posted_at)
   SELECT 'ETH', 'ethereum', '0xd' || md5(id::text), '0xd' || md5(id::text), id, 1, 1, '0xblock', now(), now()
   FROM pool_address WHERE burned_at IS NOT NULL AND id % 10 = 0`,
  `INSERT INTO ledger_account (coin, kind, pool_address_id) SELECT DISTINCT 'ETH'::coin, 'custody'::account_kind, pool_address_id
   FROM deposit WHERE wallet_id IS NULL`,
  `INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch, height, chain_time)
   SELECT 'deposit', 'ETH', 'deposit', id, 1, 0, block_height, block_time FROM deposit`,
  `INSERT INTO ledger_posting (entry_id, account_id, amount_units) SELECT e.id, a.id, d.amount_units
   FROM ledger_entry e JOIN deposit d ON d.id = e.fact_id JOIN ledger_account a ON a.pool_address_id = d.pool_address_id`,
  `INSERT INTO ledger_posting (entry_id, account_id, amount_units) SELECT e.id, a.id, d.amount_units
   FROM ledger_entry e JOIN deposit d ON d.id = e.fact_id JOIN ledger_account a ON a.wallet_id = d.wallet_id`,
  `INSERT INTO deposit_credit (deposit_id, operator, height, balance_units, expected_units)
   SELECT id, 'fill', block_height, amount_units, 0 FROM deposit WHERE id % 8 = 0`,
  `INSERT INTO address_surplus (coin, pool_address_id, units, height, found_at)
   SELECT 'ETH', pool_address_id, 1, 1, now() FROM wallet WHERE id % 20 = 0`,
  `INSERT INTO session (id, user_id, expires_at) SELECT gen_random_uuid(), u.id, now() + interval '7 days'
   FROM generate_series(1, 5000), user_account u`,
  `INSERT INTO rate_limit (key, points, expire) SELECT 'k' || n, 1, 4000000000000 + n FROM generate_series(1, 10000) n`,
  `INSERT INTO watcher_outage (chain, started_at, ended_at) SELECT 'ethereum', now() - n * interval '1 day', now() - n * interval '1 day'
     + interval '2 minutes' FROM generate_series(1, 5000) n`,
];
