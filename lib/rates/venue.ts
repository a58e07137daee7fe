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
