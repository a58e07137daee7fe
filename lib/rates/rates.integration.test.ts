import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Coin } from '@/lib/shared/coins';
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
