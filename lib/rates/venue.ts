import type { z } from 'zod';
import { fetchDatedJson } from '@/lib/net/bounded-fetch';
import type { Coin } from '@/lib/shared/coins';
import type { Clock } from '@/lib/shared/time';

/** Best prices of one venue for one coin, as decimal texts: EUR per whole coin. */
export interface VenueQuote {
  venue: string;
  coin: Coin;
  /** What a buyer offers. */
  bid: string;
  /** What a seller asks. */
  ask: string;
  /** Computed over another currency instead of traded in EUR. */
  synthetic: boolean;
}

/** A place that publishes prices. */
export interface Venue {
  readonly name: string;
  /**
   * All coins in one request; a coin that the venue does not trade is left out. Prices are as published, unjudged.
   * @param clock database time, for the age of the answer
   * @throws Error when the venue does not answer in time, not in its format, or with an answer of another time
   */
  fetchQuotes(signal: AbortSignal, clock: Clock): Promise<VenueQuote[]>;
}

/** Best bid and ask of one pair, as texts. */
export interface Book {
  bid: string;
  ask: string;
}

const TIMEOUT_MS = 5_000;
/** Binance's books of all its pairs have half a megabyte. */
const MAX_BYTES = 8 * 1024 * 1024;
/** An answer out of a cache, or of a venue whose time is wrong, tells nothing of the price now. */
const MOST_AGE_MS = 60_000;
const MOST_AHEAD_MS = 10_000;
const PRICE = /^\d+(\.\d+)?$/;
const ZERO = /^[0.]+$/;

/**
 * GETs a venue's answer within 5 s and parses it.
 * @throws Error when the answer does not come, is not 2xx or has another shape, or when its own date is more than a minute
 *   old or 10 s ahead
 */
export async function askVenue<T>(url: URL, schema: z.ZodType<T>, signal: AbortSignal, clock: Clock): Promise<T> {
  const { body, at } = await fetchDatedJson({ url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal });
  const aheadMs = at === null ? 0 : at.getTime() - clock().getTime();
  if (aheadMs > MOST_AHEAD_MS || -aheadMs > MOST_AGE_MS)
    throw new Error(`${url.host} answered with the prices of ${at?.toISOString()}`);
  return schema.parse(body);
}

/** Is this the book of a pair that trades? A pair that was renamed or closed keeps an empty one, with zeros. */
export function isBook(book: Book | undefined): book is Book {
  return book !== undefined && [book.bid, book.ask].every((price) => PRICE.test(price) && !ZERO.test(price));
}
