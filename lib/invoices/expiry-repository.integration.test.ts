import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHAIN_INFO } from '@/lib/shared/chains';
import { REVERSAL_SECONDS } from '@/lib/shared/limits';
import { emptyTables } from '@/testing/empty-tables';
import { makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { selectExpirable } from './expiry-repository';

const NOW = new Date('2026-11-27T12:00:00Z');
const GRACE = CHAIN_INFO.ethereum.inclusionGraceSeconds;
/** @param seconds before the time of the chain */
const past = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

let test: TestDatabase;
let userId: number;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
beforeEach(async () => {
  const { pool } = test.db;
  await emptyTables(pool);
  await pool.query('TRUNCATE settlement_failure, watcher_outage');
  userId = (await makeUser(pool)).id;
  await makeCursor(pool, { time: NOW });
  // A chain that is two hours ahead ends nothing of another's.
  await makeCursor(pool, { chain: 'bsc', time: past(-7200) });
});

const query = (text: string, values: unknown[] = []) => test.db.pool.query(text, values);
const expirable = (limit = 10, now = NOW) => selectExpirable(test.db.pool, { now, limit });

/** An invoice that was open for an hour, until so many seconds before the chain's time. */
async function ended(seconds: number, but = "status = 'pending'"): Promise<number> {
  const { id } = await makeInvoice(test.db.pool, { userId, expiresAt: past(seconds) });
  await query(`UPDATE invoice SET created_at = $2, ${but} WHERE id = $1`, [id, past(seconds + 3600)]);
  return id;
}

async function endedWithoutCoin(seconds: number): Promise<number> {
  const { rows } = await query(
    `INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, created_at, expires_at) VALUES ($1, 100, 60, $2, $3) RETURNING id`,
    [userId, past(seconds + 3600), past(seconds)],
  );
  return Number(rows[0]?.id);
}

const OVER = GRACE + 1;

describe('an invoice may be over', () => {
  it('with a coin: after its time and the grace of its chain, to the second; the oldest first', async () => {
    await ended(GRACE);
    const [late, later] = [await ended(OVER), await ended(OVER + 100)];
    expect(await expirable()).toEqual([later, late]);
    expect(await expirable(1)).toEqual([later]);
  });

  it('without a coin: from its end by the clock; the oldest first', async () => {
    const [late, later] = [await endedWithoutCoin(0), await endedWithoutCoin(100)];
    await endedWithoutCoin(-1);
    expect(await expirable()).toEqual([later, late]);
    expect(await expirable(1)).toEqual([later]);
    const priced = await ended(OVER);
    expect(await expirable()).toEqual([priced, later, late]);
  });

  it('by the time of its own chain and by no clock', async () => {
    await ended(0);
    expect(await expirable(10, past(-100_000))).toEqual([]);
  });

  it('only while it is open', async () => {
    await ended(OVER, "status = 'expired'");
    const unpriced = await endedWithoutCoin(100);
    await query("UPDATE invoice SET status = 'expired' WHERE id = $1", [unpriced]);
    expect(await expirable()).toEqual([]);
  });

  it('unless what covers its amount was seen', async () => {
    const counted = await ended(OVER, "payment_state = 'partial'");
    for (const state of ['seen', 'confirming', 'settled', 'overpaid']) await ended(OVER, `payment_state = '${state}'`);
    expect(await expirable()).toEqual([counted]);
  });

  it('unless a payment of it was taken by a reorg less than a day ago, to the second', async () => {
    const since = (seconds: number) => `reversed_at = '${past(seconds).toISOString()}', payment_state = 'reversed'`;
    await ended(OVER, since(REVERSAL_SECONDS));
    const old = await ended(OVER, since(REVERSAL_SECONDS + 1));
    expect(await expirable()).toEqual([old]);
  });

  it('not while a branch of its chain is being read', async () => {
    const id = await ended(OVER);
    await query("UPDATE chain_cursor SET branch_height = 5 WHERE chain = 'bsc'");
    expect(await expirable()).toEqual([id]);
    await query("UPDATE chain_cursor SET branch_height = 5 WHERE chain = 'ethereum'");
    expect(await expirable()).toEqual([]);
  });

  it('not when its settlement failed, with a coin or without; the failure of one keeps back no other', async () => {
    const [failed, other] = [await ended(OVER), await ended(OVER)];
    const [unpriced, otherUnpriced] = [await endedWithoutCoin(9), await endedWithoutCoin(9)];
    await query('INSERT INTO settlement_failure (invoice_id, next_try_at) SELECT unnest($1::int[]), now()', [
      [failed, unpriced],
    ]);
    expect(await expirable()).toEqual([other, otherUnpriced]);
  });

  it.each([
    ['all of an outage in its time', [-60, -30], 'ethereum', 30],
    ['what of one was before its end', [-30, 9999], 'ethereum', 30],
    ['what of one was after its beginning', [-9999, -3570], 'ethereum', 30],
    ['nothing of one that was before it', [-9999, -3601], 'ethereum', 0],
    ['nothing of one that was after it', [1, 9999], 'ethereum', 0],
    ['nothing of another chain', [-60, -30], 'bsc', 0],
  ] as const)('later by what its watcher was down while it was open: %s', async (_, [from, to], chain, longer) => {
    const id = await ended(0);
    await query('INSERT INTO watcher_outage (chain, started_at, ended_at) VALUES ($1, $2, $3)', [
      ...[chain, past(-from), past(-to)],
    ]);
    await makeCursor(test.db.pool, { time: past(-GRACE - longer) });
    expect(await expirable()).toEqual([]);
    await makeCursor(test.db.pool, { time: past(-GRACE - longer - 1) });
    expect(await expirable()).toEqual([id]);
  });

  it('later by an outage while it was open, of which others before and after take nothing off', async () => {
    const id = await ended(0);
    for (const [from, to] of [
      [-60, -30],
      [-9999, -3601],
      [1, 9999],
    ] as const)
      await query('INSERT INTO watcher_outage (chain, started_at, ended_at) VALUES ($1, $2, $3)', [
        ...['ethereum', past(-from), past(-to)],
      ]);
    await makeCursor(test.db.pool, { time: past(-GRACE - 30) });
    expect(await expirable()).toEqual([]);
    await makeCursor(test.db.pool, { time: past(-GRACE - 31) });
    expect(await expirable()).toEqual([id]);
  });
});
