import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { type MadeInvoice, makeApiKey, makeCursor, makeDeposit, makeInvoice, makeRate, makeUser } from './factories';
import { settleDoor } from './settle-door';
import { createTestDatabase, type TestDatabase } from './test-database';

const ETH = 10n ** 18n;
const DUE = ETH / 100n;
const DENIED = /permission denied|must be owner|must be superuser|Only roles/i;

/** Harm that no worker's login can do: what is not its own work. */
const ATTACKS: Record<'watcher' | 'dispatcher' | 'signer', string[]> = {
  watcher: [
    'SELECT sealed FROM instance_seed',
    `UPDATE watch_key SET public_key = 'xpub-evil'`,
    `INSERT INTO pool_address (watch_key_id, family, purpose, derivation_index, address, generation) VALUES (1, 'EVM', 'invoice', 9, '0xevil', 0)`,
    `UPDATE wallet SET address = '0xevil'`,
    `UPDATE invoice SET status = 'paid'`,
    'UPDATE coin_rate SET rate = 1',
    `INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state) VALUES (1, 9, 'invoice.statusChanged', 'pending', 'paid', 'settled')`,
    `UPDATE webhook_delivery SET status = 'pending'`,
    'SELECT secret_sealed FROM api_key',
    `UPDATE api_key SET webhook_url = 'https://evil.example/'`,
    'SELECT password_hash FROM user_account',
    'SELECT id FROM session',
    'UPDATE ledger_account SET balance = 1',
    'UPDATE ledger_posting SET amount_units = 1',
    `INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch) VALUES ('deposit', 'ETH', 'deposit', 1, 1, 0)`,
    'INSERT INTO ledger_posting VALUES (1, 1, 1)',
    `INSERT INTO ledger_account (coin, kind) VALUES ('ETH', 'fees')`,
  ],
  dispatcher: [
    'SELECT sealed FROM instance_seed',
    `UPDATE watch_key SET public_key = 'xpub-evil'`,
    `UPDATE pool_address SET address = '0xevil'`,
    'UPDATE pool_address SET claimed_at = NULL',
    `UPDATE invoice SET status = 'paid'`,
    `INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, amount_units, seen_at) VALUES ('ETH', 'ethereum', 'x', 'x', 1, 1, now())`,
    `UPDATE deposit SET amount_units = 1`,
    `INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch) VALUES ('deposit', 'ETH', 'deposit', 1, 1, 0)`,
    `SELECT post_entries('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`,
    'UPDATE chain_cursor SET height = 0',
    'DELETE FROM settlement_task',
    `INSERT INTO webhook_delivery (event_id, api_key_id, url) VALUES (1, 1, 'https://evil.example/')`,
    `UPDATE webhook_delivery SET body = '{}'`,
    `INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state) VALUES (1, 9, 'invoice.statusChanged', 'pending', 'paid', 'settled')`,
    'SELECT password_hash FROM user_account',
    `UPDATE user_account SET is_admin = true`,
    `SELECT create_primary_wallet(1, 'ETH')`,
  ],
  signer: [
    `SELECT post_entries('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`,
    'SELECT * FROM invoice',
    'SELECT * FROM deposit',
    'SELECT email FROM user_account',
    'SELECT * FROM api_key',
    'SELECT * FROM wallet',
    `INSERT INTO pool_address (watch_key_id, family, purpose, derivation_index, address, generation) VALUES (1, 'EVM', 'invoice', 9, '0xevil', 0)`,
    `SELECT settle_invoices('[]', now())`,
  ],
};

describe('with the login of a worker that was taken over', () => {
  let test: TestDatabase;
  let invoice: MadeInvoice;
  const logins = new Map<string, Database>();

  beforeAll(async () => {
    test = await createTestDatabase();
    for (const role of ['watcher', 'dispatcher', 'signer'] as const)
      logins.set(role, openDatabase(test.roleUrl(role), { max: 1, applicationName: role }));
    const { id: userId } = await makeUser(test.db.pool);
    await makeApiKey(test.db.pool, { userId });
    await makeCursor(test.db.pool);
    await makeRate(test.db.pool);
    invoice = await makeInvoice(test.db.pool, { userId, dueUnits: DUE });
    await makeDeposit(test.db.pool, { invoice, amountUnits: DUE / 2n });
  });
  afterAll(async () => {
    await Promise.all([...logins.values()].map(closeDatabase));
    await test.drop();
  });

  const run = (role: string, text: string, values: unknown[] = []) => {
    const login = logins.get(role);
    if (!login) throw new Error(role);
    return login.pool.query(text, values);
  };

  it.each(Object.entries(ATTACKS))('%s does nothing but its own work', async (role, attacks) => {
    const everybody = [
      'CREATE TABLE mine (id int)',
      'CREATE TEMP TABLE mine (id int)',
      'SET ROLE incassa_functions',
      `ALTER ROLE incassa_${role} SUPERUSER`,
      `COPY (SELECT 1) TO PROGRAM 'id'`,
      `UPDATE coin_rule SET shown_units = 1e30`,
    ];
    // A copy of the template has Postgres' own rights again; `npm run migrate` takes this one away.
    await test.db.pool.query(
      `DO $$ BEGIN EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()); END $$`,
    );
    for (const attack of [...attacks, ...everybody]) await expect(run(role, attack), attack).rejects.toThrow(DENIED);
  });

  it.each(['watcher', 'dispatcher'])('%s settles nothing that the facts do not carry', async (role) => {
    const settle = (status: string, units: bigint) =>
      logins.get(role)?.pool.query(settleDoor({ id: invoice.id, status, units }));
    for (const [status, units] of [
      ['paid', DUE],
      ['paid', DUE / 2n],
      ['expired', 0n],
    ] as const)
      await expect(settle(status, units)).rejects.toThrow('do not carry');
  });
});
