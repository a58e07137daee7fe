import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { COINS, type Coin } from '@/lib/shared/coins';
import { makeInvoice, makeUser, makeWallet } from '@/testing/factories';
import { makeEntry, readHoldings, SOME_BLOCK } from '@/testing/ledger-entries';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import type { LedgerAccount, LedgerEntry } from './entry';
import { postEntries } from './post-entries';

/** A row of one of the page's tables. */
interface Step {
  kind: LedgerEntry['kind'];
  coin: Coin;
  fact: LedgerEntry['fact'];
  /** Which of several facts of its kind. */
  letter: string;
  booking: number;
  /** `custody A +100`. */
  postings: string[];
  /** `custody A 100`, with the coin where it is not ETH. */
  left: string[];
}

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../docs/ledger.md'), 'utf8');
const WALKS: [string, Step[]][] = PAGE.split(/^### /m)
  .slice(1)
  .map((section) => [section.slice(0, section.indexOf('\n')), section.split('\n').filter(isStep).map(toStep)]);

function isStep(line: string): boolean {
  return /^\| `/.test(line);
}

function toStep(line: string): Step {
  const [, entry = '', fact = '', postings = '', left = ''] = line.split('|').map((cell) => cell.trim());
  const [, kind, coin = 'ETH'] = /^`(\w+)`(?: in (\w+))?$/.exec(entry) ?? [];
  const [, name, letter = 'a', booking = '1'] = /^(\w+)(?: (\w))?(?: \((\d+)\))?$/.exec(fact) ?? [];
  const parts = (cell: string) => cell.split(', ').filter((part) => part !== '');
  return {
    kind: kind as Step['kind'],
    coin: COINS.find((one) => one === coin) ?? 'ETH',
    fact: name as Step['fact'],
    letter,
    booking: Number(booking),
    postings: parts(postings).sort(),
    left: parts(left).sort(),
  };
}

/** What nobody's block caused. */
const DECIDED = ['hold', 'release', 'attribution', 'chain_reset'];

describe('docs/ledger.md', () => {
  let test: TestDatabase;
  let watcher: Database;
  const wallets = new Map<string, number>();
  const addresses = new Map<string, bigint>();

  beforeAll(async () => {
    test = await createTestDatabase();
    watcher = openDatabase(test.roleUrl('watcher'), { max: 2, applicationName: 'watcher' });
    await test.db.pool.query(
      `INSERT INTO chain_cursor (chain, loaded_generation, updated_at) VALUES ('ethereum', 1000, now())`,
    );
    const { id: userId } = await makeUser(test.db.pool);
    for (const [wallet, address] of [
      ['W', 'A'],
      ['V', 'B'],
      ['', 'C'],
    ] as const) {
      const made = await makeInvoice(test.db.pool, { userId });
      wallets.set(wallet, made.walletId);
      addresses.set(address, BigInt(made.poolAddressId));
    }
    const poolAddressId = addresses.get('A') ?? 0n;
    wallets.set('X', (await makeWallet(test.db.pool, { poolAddressId, userId, coin: 'BNB' })).id);
  });
  afterAll(async () => {
    await closeDatabase(watcher);
    await test.drop();
  });

  const nameOf = <T>(names: Map<string, T>, value: T) => [...names].find(([, one]) => one === value)?.[0] ?? '?';
  const describeAccount = (row: { kind: string; walletId: number | null; poolAddressId: bigint | null }) =>
    row.walletId !== null
      ? `${row.kind} ${nameOf(wallets, row.walletId)}`
      : row.poolAddressId !== null
        ? `${row.kind} ${nameOf(addresses, row.poolAddressId)}`
        : row.kind;
  const toAccount = (kind: string, name: string): LedgerAccount => {
    if (kind === 'custody') return { kind, poolAddressId: addresses.get(name) ?? 0n };
    if (kind === 'wallet' || kind === 'held' || kind === 'reorg_loss')
      return { kind, walletId: wallets.get(name) ?? 0 };
    return { kind: kind as 'in_swap' | 'unattributed' | 'fees' };
  };

  /** Who books says `wallet` and nothing of losses. */
  function entryOf(
    { kind, coin, fact, letter, booking, postings }: Step,
    linkedEntryId: bigint | undefined,
  ): LedgerEntry {
    const units = new Map<string, bigint>();
    for (const posting of postings) {
      const [, account = '', name = '', amount = ''] = /^(\w+)(?: (\w))? ([+-]\d+)$/.exec(posting) ?? [];
      const key = `${account === 'reorg_loss' ? 'wallet' : account} ${name}`;
      units.set(key, (units.get(key) ?? 0n) + BigInt(amount));
    }
    const parts = [...units].map(([key, amount]) => {
      const [account = '', name = ''] = key.split(' ');
      return [toAccount(account, name), amount] as const;
    });
    const link = kind === 'swap_out' && linkedEntryId !== undefined ? { linkedEntryId } : {};
    const block = DECIDED.includes(kind) ? null : SOME_BLOCK;
    return makeEntry(kind, parts, { coin, fact, factId: BigInt(letter.charCodeAt(0)), booking, block, ...link });
  }

  async function storedPostings(entryId: bigint | undefined): Promise<string[]> {
    const { rows } = await watcher.pool.query(
      `SELECT a.kind, a.wallet_id AS "walletId", a.pool_address_id AS "poolAddressId", p.amount_units AS units
       FROM ledger_posting p JOIN ledger_account a ON a.id = p.account_id WHERE p.entry_id = $1`,
      [entryId],
    );
    return rows.map((row) => `${describeAccount(row)} ${row.units > 0n ? '+' : ''}${row.units}`).sort();
  }

  it.each(WALKS)('%s: each entry is posted as the page says, and leaves what it says', async (_, steps) => {
    await test.db.pool.query('TRUNCATE ledger_entry, ledger_account CASCADE');
    expect(steps.length).toBeGreaterThan(1);
    let lastDeposit: bigint | undefined;
    for (const step of steps) {
      const entry = entryOf(step, lastDeposit);
      const [booked] = await transaction(watcher, (sql) => postEntries(sql, [entry]));
      if (step.kind === 'deposit') lastDeposit = booked?.id;
      expect(await storedPostings(booked?.id)).toEqual(step.postings);
      const holdings = (await readHoldings(watcher.pool)).filter(({ units }) => units !== 0n);
      expect(
        holdings.map((row) => `${describeAccount(row)} ${row.units}${row.coin === 'ETH' ? '' : ` ${row.coin}`}`).sort(),
      ).toEqual(step.left);
      for (const { kind, units, balance } of holdings)
        expect(balance).toBe(['wallet', 'held', 'reorg_loss'].includes(kind) ? units : 0n);
    }
  });

  it('shows every kind of entry, every kind of fact and every kind of account that there is', async () => {
    const kindsOf = async (type: string) =>
      (await watcher.pool.query<{ kind: string }>(`SELECT unnest(enum_range(NULL::${type}))::text AS kind`)).rows
        .map(({ kind }) => kind)
        .sort();
    const steps = WALKS.flatMap(([, all]) => all);
    const shown = (values: readonly string[]) => [...new Set(values)].sort();
    expect(shown(steps.map(({ kind }) => kind))).toEqual(await kindsOf('entry_kind'));
    expect(shown(steps.map(({ fact }) => fact))).toEqual(await kindsOf('entry_fact'));
    expect(shown(steps.flatMap(({ postings }) => postings.map((part) => part.split(' ')[0] ?? '')))).toEqual(
      await kindsOf('account_kind'),
    );
  });
});
