import type { z } from 'zod';
import { fetchJson } from '@/lib/net/bounded-fetch';
import type { Coin } from '@/lib/shared/coins';

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
   * @throws Error when the venue does not answer in time or not in its format
   */
  fetchQuotes(signal: AbortSignal): Promise<VenueQuote[]>;
}

/** Best bid and ask of one pair, as texts. */
export interface Book {
  bid: string;
  ask: string;
}

const TIMEOUT_MS = 5_000;
/** Binance's books of all its pairs have half a megabyte. */
const MAX_BYTES = 8 * 1024 * 1024;
const PRICE = /^\d+(\.\d+)?$/;
const ZERO = /^[0.]+$/;

/**
 * GETs a venue's answer within 5 s and parses it.
 * @throws Error when the answer does not come, is not 2xx or has another shape
 */
export async function askVenue<T>(url: URL, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
  return schema.parse(await fetchJson({ url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal }));
}

/** Is this the book of a pair that trades? A pair that was renamed or closed keeps an empty one, with zeros. */
export function isBook(book: Book | undefined): book is Book {
  return book !== undefined && [book.bid, book.ask].every((price) => PRICE.test(price) && !ZERO.test(price));
}
