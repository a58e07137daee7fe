import { z } from 'zod';
import type { Book, PricedName, PriceTable } from './price-table';

/** Binance has no EUR pair for TON, which it calls GRAM; the old name's book is empty since the change of June 2026. */
const IN_EUR: Record<string, PricedName> = {
  ETHEUR: 'ETH',
  BNBEUR: 'BNB',
  LTCEUR: 'LTC',
  TRXEUR: 'TRX',
  EURUSDT: 'EURUSDT',
};
const IN_USDT: Record<string, PricedName> = { GRAMUSDT: 'TON', ETHUSDT: 'ETH', BNBUSDT: 'BNB' };
const CLOSED = 'TONUSDT';
const SYMBOLS = [...Object.keys(IN_EUR), ...Object.keys(IN_USDT), CLOSED];
const OFFSET = -0.0003;

const symbolsSchema = z.array(z.string()).min(1);

type Answer = { status: number; body: unknown };

/**
 * The answer of Binance's `GET /api/v3/ticker/bookTicker` (developers.binance.com, Symbol order book ticker).
 *
 * @param query `symbol`, or `symbols` as a JSON array, or neither for all
 * @param now Unix time in milliseconds
 */
export function binanceBookTicker(table: PriceTable, query: URLSearchParams, now: number): Answer {
  const single = query.get('symbol');
  if (single !== null) return SYMBOLS.includes(single) ? { status: 200, body: row(table, single, now) } : INVALID;
  const several = query.get('symbols');
  const names = several === null ? SYMBOLS : parseSymbols(several);
  if (names === undefined || names.some((name) => !SYMBOLS.includes(name))) return INVALID;
  return { status: 200, body: names.map((name) => row(table, name, now)) };
}

const INVALID: Answer = { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } };

function parseSymbols(text: string): string[] | undefined {
  try {
    return symbolsSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function row(table: PriceTable, symbol: string, now: number): unknown {
  const { bid, ask, bidSize, askSize } = bookOf(table, symbol, now);
  return { symbol, bidPrice: bid, bidQty: bidSize, askPrice: ask, askQty: askSize };
}

function bookOf(table: PriceTable, symbol: string, now: number): Book {
  const inEuro = IN_EUR[symbol];
  if (inEuro !== undefined) return table.book(inEuro, OFFSET, now);
  const inUsdt = IN_USDT[symbol];
  if (inUsdt !== undefined) return table.bookInUsdt(inUsdt, OFFSET, now);
  return { bid: '0.00000000', ask: '0.00000000', bidSize: '0.00000000', askSize: '0.00000000' };
}
