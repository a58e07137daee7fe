import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { addSeconds, systemClock } from '@/lib/shared/time';
import { binanceVenue } from './binance';
import { krakenVenue } from './kraken';

let close: (() => void) | undefined;
afterEach(() => close?.());

/** A venue's server that gives one answer, and the paths that it was asked for. */
async function answering(body: unknown, status = 200, at = new Date()) {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response
      .writeHead(status, { 'content-type': 'application/json', date: at.toUTCString() })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

const signal = new AbortController().signal;
const ticker = (bid: string, ask: string) => ({ a: [ask, '1', '1.000'], b: [bid, '2', '2.000'], c: ['9', '1'] });

test('Kraken: legacy and new pair names are read, in one request; a coin it does not list is left out', async () => {
  const { url, paths } = await answering({
    error: [],
    result: { XETHZEUR: ticker('2499.1', '2500.9'), TRXEUR: ticker('0.2501', '0.2503'), XXBTZEUR: ticker('1', '2') },
  });
  expect(await krakenVenue(url).fetchQuotes(signal, systemClock)).toEqual([
    { venue: 'kraken', coin: 'ETH', bid: '2499.1', ask: '2500.9', synthetic: false },
    { venue: 'kraken', coin: 'TRX', bid: '0.2501', ask: '0.2503', synthetic: false },
  ]);
  expect(paths).toEqual(['/0/public/Ticker']);
});

test('[B7] Kraken: TON is found as GRAM, and under its old name while the new pair has no book', async () => {
  const result = { GRAMEUR: ticker('1.49', '1.50'), TONEUR: ticker('3.1', '3.2') };
  const renamed = await answering({ error: [], result });
  expect(await krakenVenue(renamed.url).fetchQuotes(signal, systemClock)).toMatchObject([{ coin: 'TON', bid: '1.49' }]);
  close?.();
  const before = await answering({ error: [], result: { ...result, GRAMEUR: ticker('0.00000', '0.00000') } });
  expect(await krakenVenue(before.url).fetchQuotes(signal, systemClock)).toMatchObject([{ coin: 'TON', bid: '3.1' }]);
});

test('Kraken: an error inside a 200 is an error', async () => {
  const { url } = await answering({ error: ['EService:Unavailable'] });
  await expect(krakenVenue(url).fetchQuotes(signal, systemClock)).rejects.toThrow('EService:Unavailable');
});

const book = (symbol: string, bidPrice: string, askPrice: string) => ({
  symbol,
  bidPrice,
  askPrice,
  bidQty: '1',
  askQty: '1',
});

test('Binance: EUR pairs are taken as they are, TON over the dollar and marked as such', async () => {
  const { url } = await answering([
    book('ETHEUR', '2499.10', '2500.90'),
    book('EURUSDT', '1.2500', '1.6000'),
    book('TONUSDT', '0.00000000', '0.00000000'),
    book('GRAMUSDT', '1.6000', '2.0000'),
  ]);
  expect(await binanceVenue(url).fetchQuotes(signal, systemClock)).toEqual([
    { venue: 'binance', coin: 'ETH', bid: '2499.10', ask: '2500.90', synthetic: false },
    { venue: 'binance', coin: 'TON', bid: '1.000000000000000000', ask: '1.600000000000000000', synthetic: true },
  ]);
});

test('Binance: without a book for the euro there is no price over the dollar', async () => {
  const { url } = await answering([book('EURUSDT', '0.0', '0.0'), book('GRAMUSDT', '1.6', '1.7')]);
  expect(await binanceVenue(url).fetchQuotes(signal, systemClock)).toEqual([]);
});

test.each([
  ['an error status', { code: -1003, msg: 'Too many requests.' }, 429],
  ['prices as numbers', [{ symbol: 'ETHEUR', bidPrice: 2499.1, askPrice: 2500 }], 200],
  ['another shape', { ETHEUR: '2500' }, 200],
])('Binance: %s is a fault of the venue', async (_, body, status) => {
  const { url } = await answering(body, status);
  await expect(binanceVenue(url).fetchQuotes(signal, systemClock)).rejects.toThrow();
});

describe('an answer that carries a date', () => {
  const eth = [book('ETHEUR', '2499.10', '2500.90')];
  test.each([
    ['two hours ahead', 7200],
    ['12 seconds ahead', 12],
    ['two minutes old, out of a cache', -120],
  ])('%s is refused', async (_, seconds) => {
    const { url } = await answering(eth, 200, addSeconds(new Date(), seconds));
    await expect(binanceVenue(url).fetchQuotes(signal, systemClock)).rejects.toThrow('answered with the prices of');
  });

  test('is held against the time of the database, whatever the machine says', async () => {
    const ahead = () => addSeconds(new Date(), 7200);
    const { url } = await answering(eth, 200, ahead());
    await expect(binanceVenue(url).fetchQuotes(signal, ahead)).resolves.toHaveLength(1);
  });

  test('some seconds off, as good clocks are, is taken', async () => {
    const { url } = await answering(eth, 200, addSeconds(new Date(), 5));
    await expect(binanceVenue(url).fetchQuotes(signal, systemClock)).resolves.toHaveLength(1);
  });
});
