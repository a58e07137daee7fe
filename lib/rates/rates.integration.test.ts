import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Coin } from '@/lib/shared/coins';
import { addSeconds } from '@/lib/shared/time';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { getDisplayRate, getRate } from './get-rate';
import { refreshRates } from './refresh-rates';
import type { Venue } from './venue';

let database: TestDatabase;
let now = new Date('2026-11-27T12:00:00Z');
const clock = () => now;
const advance = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  advance(3600);
  await database.db.pool.query('DELETE FROM coin_rate');
});
afterAll(() => database.drop());

const venue = (name: string, prices: Partial<Record<Coin, string>>): Venue => ({
  name,
  fetchQuotes: async () =>
    Object.entries(prices).map(([coin, price]) => ({
      venue: name,
      coin: coin as Coin,
      bid: price,
      ask: price,
      synthetic: false,
    })),
});
const down = (name: string): Venue => ({ name, fetchQuotes: () => Promise.reject(new Error(`${name} is down.`)) });

const refresh = (...venues: Venue[]) =>
  refreshRates(database.db, {
    venues,
    clock,
    logger: pino({ level: 'silent' }),
    signal: new AbortController().signal,
  });

test('an agreed rate is stored with its evidence and prices invoices for 5 minutes, then never', async () => {
  const fresh = await refresh(venue('a', { ETH: '2500', LTC: '80' }), venue('b', { ETH: '2502' }));
  expect(fresh).toEqual(['ETH']);
  expect(await getRate(database.db, 'ETH', clock)).toEqual({ rate: '2501', fetchedAt: now });
  const { rows } = await database.db.pool.query('SELECT coin, sources FROM coin_rate');
  expect(rows).toMatchObject([{ coin: 'ETH', sources: { quotes: [{ venue: 'a', mid: '2500' }, { venue: 'b' }] } }]);

  advance(300);
  expect((await getRate(database.db, 'ETH', clock)).rate).toBe('2501');
  advance(1);
  await expect(getRate(database.db, 'ETH', clock)).rejects.toMatchObject({
    code: 'rate_unavailable',
    retryAfterSeconds: 30,
  });
});

test('a value is shown for 10 minutes, then is not known', async () => {
  await refresh(venue('a', { ETH: '2500' }), venue('b', { ETH: '2500' }));
  advance(600);
  expect((await getDisplayRate(database.db, 'ETH', clock))?.rate).toBe('2500');
  advance(1);
  expect(await getDisplayRate(database.db, 'ETH', clock)).toBeNull();
});

test('a coin that never had a rate prices nothing', async () => {
  await expect(getRate(database.db, 'TRX', clock)).rejects.toMatchObject({ code: 'rate_unavailable' });
});

test('that there is no rate is not remembered: the first one prices at once', async () => {
  expect(await getDisplayRate(database.db, 'ETH', clock)).toBeNull();
  await refresh(venue('a', { ETH: '2500' }), venue('b', { ETH: '2500' }));
  expect((await getRate(database.db, 'ETH', clock)).rate).toBe('2500');
});

test('[B7] with one venue down the last rate stays and grows old: the other is not believed alone', async () => {
  await refresh(venue('a', { ETH: '2500' }), venue('b', { ETH: '2500' }));
  const before = now;
  advance(60);
  await expect(refresh(down('a'), venue('b', { ETH: '2400' }))).rejects.toThrow('a is down.');
  expect(await getRate(database.db, 'ETH', clock)).toEqual({ rate: '2500', fetchedAt: before });
});

test('[B7] an inverted feed leaves the last rate as it was', async () => {
  await refresh(venue('a', { ETH: '2500' }), venue('b', { ETH: '2500' }));
  advance(30);
  await expect(refresh(venue('a', { ETH: '0.0004' }), venue('b', { ETH: '2500' }))).rejects.toThrow();
  expect((await getRate(database.db, 'ETH', clock)).rate).toBe('2500');
});

test('a slower copy of the process does not put an older rate over a newer one', async () => {
  await refresh(venue('a', { ETH: '2500' }), venue('b', { ETH: '2500' }));
  advance(-10);
  await refresh(venue('a', { ETH: '2400' }), venue('b', { ETH: '2400' }));
  advance(10);
  expect((await getRate(database.db, 'ETH', clock)).rate).toBe('2500');
});

test('pricing many invoices in one second reads the rate once', async () => {
  await refresh(venue('a', { ETH: '2500' }), venue('b', { ETH: '2500' }));
  await getRate(database.db, 'ETH', clock);
  await database.db.pool.query('DELETE FROM coin_rate');
  expect((await getRate(database.db, 'ETH', clock)).rate).toBe('2500');
  advance(1);
  await expect(getRate(database.db, 'ETH', clock)).rejects.toThrow();
});

const states = async () =>
  (
    await database.db.pool.query(
      'SELECT rate::float8, doubted_at IS NOT NULL AS doubted, candidate_rounds FROM coin_rate',
    )
  ).rows;
const refused = { code: 'rate_unavailable', retryAfterSeconds: 30 };

test('a price that both venues contradict sells nothing from that moment, until the new one is confirmed', async () => {
  await refresh(venue('a', { ETH: '2500' }), venue('b', { ETH: '2500' }));
  advance(30);
  const fallen = () => refresh(venue('a', { ETH: '2100' }), venue('b', { ETH: '2102' }));
  expect(await fallen()).toEqual([]);
  await expect(getRate(database.db, 'ETH', clock)).rejects.toMatchObject(refused);
  expect(await getDisplayRate(database.db, 'ETH', clock)).toBeNull();
  expect(await states()).toEqual([{ rate: 2500, doubted: true, candidate_rounds: 1 }]);
  advance(30);
  await fallen();
  expect(await states()).toEqual([{ rate: 2500, doubted: true, candidate_rounds: 2 }]);
  advance(30);
  expect(await fallen()).toEqual(['ETH']);
  expect(await states()).toEqual([{ rate: 2101, doubted: false, candidate_rounds: 0 }]);
  expect((await getRate(database.db, 'ETH', clock)).rate).toBe('2101');
});

test('a doubt is not taken back by what another process had read before it', async () => {
  await refresh(venue('a', { ETH: '2500' }), venue('b', { ETH: '2500' }));
  advance(30);
  await refresh(venue('a', { ETH: '2100' }), venue('b', { ETH: '2100' }));
  advance(-10);
  await refresh(venue('a', { ETH: '2490' }), venue('b', { ETH: '2490' }));
  expect(await states()).toEqual([{ rate: 2500, doubted: true, candidate_rounds: 1 }]);
});

test('the operator is told once of a rate in doubt, and of its end', async () => {
  const lines: { msg: string; level: number }[] = [];
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const ask = (price: string) => {
    const venues = [venue('a', { ETH: price }), venue('b', { ETH: price })];
    return refreshRates(database.db, { venues, clock, logger, signal: new AbortController().signal });
  };
  for (const price of ['2500', '2100', '2100', '2400']) {
    await ask(price);
    advance(10);
  }
  const told = lines.filter(({ msg }) => msg.startsWith('rate ')).map(({ msg, level }) => [msg, level]);
  expect(told).toEqual([
    ['rate in doubt: nothing is sold at it', 50],
    ['rate no longer in doubt', 30],
  ]);
});

describe('a rate that is stored two hours ahead of the time', () => {
  const plant = (aheadSeconds: number) =>
    database.db.pool.query(`INSERT INTO coin_rate (coin, rate, sources, fetched_at) VALUES ('ETH', 9999, '[]', $1)`, [
      addSeconds(clock(), aheadSeconds),
    ]);

  test('prices nothing and shows nothing', async () => {
    await plant(7200);
    await expect(getRate(database.db, 'ETH', clock)).rejects.toMatchObject(refused);
    expect(await getDisplayRate(database.db, 'ETH', clock)).toBeNull();
  });

  test('does not freeze the price: the next good one takes its place', async () => {
    now = new Date();
    await plant(7200);
    expect(await refresh(venue('a', { ETH: '2500' }), venue('b', { ETH: '2500' }))).toEqual(['ETH']);
    expect(await getRate(database.db, 'ETH', clock)).toEqual({ rate: '2500', fetchedAt: now });
  });
});

describe('the database itself refuses a price', () => {
  // 25 EUR at 2,500 EUR per coin.
  const check = () =>
    database.db.pool.query(`SELECT check_price('ETH', 2500, 10000000000000000, 2500)`).then(
      () => 'taken',
      (error: { constraint?: string }) => error.constraint,
    );
  const store = (set: string) =>
    database.db.pool.query(
      `INSERT INTO coin_rate (coin, rate, sources, fetched_at) VALUES ('ETH', 2500, '[]', now());
       UPDATE coin_rate SET ${set}`,
    );

  test.each([
    ['of a rate that is as it should be: no', 'rate = 2500', 'taken'],
    ['of a rate in doubt', 'doubted_at = now()', 'price_founded'],
    ['of a rate ahead of the time', "fetched_at = now() + interval '6 s'", 'price_founded'],
    ['of a rate a moment ahead, as roundings make it: no', "fetched_at = now() + interval '2 s'", 'taken'],
  ])('%s', async (_, set, outcome) => {
    await store(set);
    expect(await check()).toBe(outcome);
  });
});
