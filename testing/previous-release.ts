import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { migrateDatabase } from '@/starter/migrate-database';
import { runTool } from '@/starter/processes/run-tool';
import type { Row, Rows } from './database-contents';
import { createTestDatabase, type TestDatabase } from './test-database';

const root = path.resolve(import.meta.dirname, '..');

/** The first migration that the previous release did not have. */
export const FIRST_NEW_MIGRATION = '20261128090000_chain_and_coin';

/** A database as the previous release left it, with at least one row in every table (previous-release.sql). */
export async function createPreviousRelease(): Promise<TestDatabase> {
  const database = await createTestDatabase({ template: 'template1' });
  const copy = mkdtempSync(path.join(tmpdir(), 'incassa-previous-'));
  try {
    for (const name of ['prisma', 'prisma.config.ts', 'tsconfig.json', 'package.json']) {
      cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    }
    for (const name of ['lib', 'node_modules']) symlinkSync(path.join(root, name), path.join(copy, name));
    const migrations = path.join(copy, 'prisma/migrations');
    const later = readdirSync(migrations).filter((name) => /^\d/.test(name) && name >= FIRST_NEW_MIGRATION);
    for (const name of later) rmSync(path.join(migrations, name), { recursive: true });
    await playMigrations(database, copy);
    await database.db.pool.query(readFileSync(path.join(import.meta.dirname, 'previous-release.sql'), 'utf8'));
    return database;
  } catch (error) {
    await database.drop();
    throw error;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** The migrations alone: what `npm run migrate` does beside them belongs to this release. */
function playMigrations({ url }: TestDatabase, folder: string): Promise<void> {
  return runTool({
    name: 'The previous release',
    root: folder,
    program: ['node_modules/prisma/build/index.js', 'migrate', 'deploy'],
    env: { NODE_ENV: 'test', PATH: path.dirname(process.execPath), DATABASE_URL: url, DATABASE_DIRECT_URL: url },
  });
}

/** `npm run migrate` of this release. */
export function migrate({ url }: TestDatabase): Promise<void> {
  return migrateDatabase({ root, ownerUrl: url, rolePasswords: inject('rolePasswords') });
}

/** What the upgrade makes of a row: names move, nothing else changes, and what is new has its stated value. */
const UPGRADED: Record<string, (row: Row) => Row> = {
  chain_cursor: ({ coin: _, block_time, ...row }) => ({
    ...row,
    chain: 'ethereum',
    chain_time: block_time,
    confirmed_height: 99,
    head_time: null,
    looked_at: row.updated_at,
    unread_since: null,
    branch_height: null,
  }),
  chain_block: ({ coin: _, time, ...row }) => ({ ...row, chain: 'ethereum', chain_time: time }),
  watcher_outage: ({ coin: _, ...row }) => ({ ...row, chain: 'ethereum' }),
  settlement_task: ({ coin: _, ...row }) => ({ ...row, chain: 'ethereum' }),
  deposit: ({ tx_index, ...row }) => ({
    first_posted_at: row.posted_at,
    ...row,
    chain: 'ethereum',
    transfer_key: tx_index === 0 ? row.tx_hash : `${row.tx_hash}:${tx_index}`,
    kind: 'payment',
    spends: [],
    extra_confirmations: 0,
  }),
  invoice: (row) => ({ ...row, chain: row.coin === null ? null : 'ethereum' }),
  invoice_event: (row) => ({ ...row, amount_paid_units: 0, amount_received_units: 0 }),
  outgoing_mail: (row) => ({ ...row, event_id: null, kind: null }),
  watch_key: (row) => ({ ...row, merchant_id: null }),
  pool_address: (row) => ({ ...row, merchant_id: null, burned_at: null }),
  coin_rate: (row) => ({ ...row, doubted_at: null, candidate_rate: null, candidate_since: null, candidate_rounds: 0 }),
};

/** Custody accounts that the upgrade makes, by the pool address of the deposits that are booked. */
const CUSTODY = new Map([2, 4, 5].map((poolAddressId, index) => [poolAddressId, 5 + index]));

/** The ledger: where money lies becomes an account per address, and an entry names its fact by columns. */
function upgradedLedger(before: Rows): Rows {
  const { ledger_account = [], ledger_entry = [], ledger_posting = [], deposit = [] } = before;
  const chain = ledger_account.find(({ kind }) => kind === 'chain');
  const factOf = ({ key }: Row) => {
    const [kind, depositId, booking] = String(key).split(':');
    return { kind, booking: Number(booking), deposit: deposit.find(({ id }) => id === Number(depositId)) };
  };
  return {
    ledger_account: [
      ...ledger_account.filter((row) => row !== chain).map((row) => ({ ...row, pool_address_id: null })),
      ...[...CUSTODY].map(([pool_address_id, id]) => ({
        ...{ id, coin: 'ETH', kind: 'custody', wallet_id: null, pool_address_id, balance: 0 },
      })),
    ],
    ledger_entry: ledger_entry.map(({ key, ...row }) => {
      const { kind, booking, deposit: of } = factOf({ key });
      const block =
        kind === 'attribution'
          ? { height: null, chain_time: null }
          : { height: of?.block_height, chain_time: of?.block_time };
      return { ...row, fact: 'deposit', fact_id: of?.id, booking, epoch: 0, ...block, linked_entry_id: null };
    }),
    ledger_posting: ledger_posting.map((row) => {
      const entry = ledger_entry.find(({ id }) => id === row.entry_id) ?? {};
      const account_id = CUSTODY.get(Number(factOf(entry).deposit?.pool_address_id));
      return row.account_id === chain?.id
        ? { ...row, account_id, amount_units: String(row.amount_units).replace('-', '') }
        : row;
    }),
  };
}

/** Tables that the previous release did not have. */
const NEW_TABLES: Rows = {
  invoice_quota: [],
  known_address: [],
  settlement_failure: [],
  pool_restore: [],
  pool_burn: [],
  rescan: [],
  deposit_credit: [],
  address_surplus: [],
};

/**
 * What an upgraded database holds, of what it held before.
 * @param after what it holds, which tells when it was upgraded: open sessions begin to be idle then, and policies to hold
 */
export const upgraded = (before: Rows, after: Rows): Rows => ({
  ...Object.fromEntries(
    Object.entries(before).map(([table, rows]) => [table, rows.map(UPGRADED[table] ?? ((row) => row))]),
  ),
  ...upgradedLedger(before),
  session: (before.session ?? []).map((row) => ({ ...row, last_seen_at: after.session?.[0]?.last_seen_at })),
  user_account: (before.user_account ?? []).map((row) => ({
    ...row,
    late_policy_since: after.user_account?.[0]?.late_policy_since,
  })),
  ...NEW_TABLES,
  // Its addresses lie where they were, under the server that runs: that is no restore.
  pool_home: [{ ...whereItLies(after.pool_home?.[0]), id: 1, restore_id: null }],
});

const whereItLies = ({ location, confirmed_start }: Row = {}): Row => ({ location, confirmed_start });
