import { z } from 'zod';
import { COIN_INFO, COINS, type Coin } from '@/lib/shared/coins';
import { askVenue, type Book, isBook, type Venue, type VenueQuote } from '../venue';

/** Kraken's own names of a coin's pair with EUR: older coins have an X before theirs and a Z before the currency. */
const pairsOf = (coin: Coin) => COIN_INFO[coin].tickers.flatMap((ticker) => [`X${ticker}ZEUR`, `${ticker}EUR`]);

const AnswerSchema = z.object({ error: z.array(z.string()), result: z.record(z.string(), z.unknown()).optional() });

/** A ticker: `b` and `a` are the best bid and ask, each [price, whole lot volume, lot volume]. */
const TickerSchema = z.object({
  a: z.tuple([z.string()], z.unknown()),
  b: z.tuple([z.string()], z.unknown()),
});

/**
 * Kraken's public ticker (`GET /0/public/Ticker`, docs.kraken.com). It is asked for all pairs, because one unknown name among
 * those asked for fails the whole call.
 * @param baseUrl e.g. https://api.kraken.com
 */
export function krakenVenue(baseUrl: string): Venue {
  return {
    name: 'kraken',
    async fetchQuotes(signal, clock) {
      const answer = await askVenue(new URL('/0/public/Ticker', baseUrl), AnswerSchema, signal, clock);
      if (answer.error.length > 0) throw new Error(`Kraken answered: ${answer.error.join(', ')}`);
      const tickers = answer.result ?? {};
      return COINS.flatMap((coin): VenueQuote[] => {
        const book = pairsOf(coin)
          .map((pair) => readBook(tickers[pair]))
          .find(isBook);
        return book ? [{ venue: 'kraken', coin, bid: book.bid, ask: book.ask, synthetic: false }] : [];
      });
    },
  };
}

function readBook(ticker: unknown): Book | undefined {
  const parsed = TickerSchema.safeParse(ticker);
  return parsed.success ? { bid: parsed.data.b[0], ask: parsed.data.a[0] } : undefined;
}
