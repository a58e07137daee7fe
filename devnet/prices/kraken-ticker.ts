import type { Book, PricedName, PriceTable } from './price-table';

/** Kraken's names: the two oldest coins have legacy ones, and answer to both (docs.kraken.com, Get Ticker Information). */
const PAIRS: Record<string, PricedName> = {
  XETHZEUR: 'ETH',
  BNBEUR: 'BNB',
  GRAMEUR: 'TON',
  TRXEUR: 'TRX',
  XLTCZEUR: 'LTC',
  EURUSDT: 'EURUSDT',
};
const ALIASES: Record<string, string> = { ETHEUR: 'XETHZEUR', LTCEUR: 'XLTCZEUR' };
const OFFSET = 0.0004;

/**
 * The answer of Kraken's `GET /0/public/Ticker`.
 *
 * @param asked the query's `pair`: names with commas between them, or null for all
 * @param now Unix time in milliseconds
 * @returns Kraken's JSON; one unknown name fails the whole call, as there
 */
export function krakenTicker(table: PriceTable, asked: string | null, now: number): unknown {
  const names = asked === null ? Object.keys(PAIRS) : asked.split(',').map((name) => ALIASES[name] ?? name);
  const result: Record<string, unknown> = {};
  for (const name of names) {
    const priced = Object.hasOwn(PAIRS, name) ? PAIRS[name] : undefined;
    if (priced === undefined) return { error: ['EQuery:Unknown asset pair'] };
    result[name] = ticker(table.book(priced, OFFSET, now));
  }
  return { error: [], result };
}

function ticker({ bid, ask, bidSize, askSize }: Book): unknown {
  return {
    a: [ask, '1', askSize],
    b: [bid, '1', bidSize],
    c: [bid, '0.10000000'],
    v: ['100.00000000', '240.00000000'],
    p: [bid, bid],
    t: [120, 310],
    l: [bid, bid],
    h: [ask, ask],
    o: bid,
  };
}
