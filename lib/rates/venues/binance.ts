import { z } from 'zod';
import { COIN_INFO, COINS, type Coin } from '@/lib/shared/coins';
import { Decimal } from '../decimal';
import { askVenue, type Book, isBook, type Venue, type VenueQuote } from '../venue';

const DOLLAR = 'USDT';
const EURO_IN_DOLLARS = 'EURUSDT';

const AnswerSchema = z.array(z.object({ symbol: z.string(), bidPrice: z.string(), askPrice: z.string() }));

/**
 * Binance's best bids and asks (`GET /api/v3/ticker/bookTicker`, developers.binance.com). Last prices are no use: those of a
 * dead pair stand still. It is asked for all symbols, because one unknown symbol among those asked for fails the whole call.
 * @param baseUrl e.g. https://data-api.binance.vision
 */
export function binanceVenue(baseUrl: string): Venue {
  return {
    name: 'binance',
    async fetchQuotes(signal, clock) {
      const answer = await askVenue(new URL('/api/v3/ticker/bookTicker', baseUrl), AnswerSchema, signal, clock);
      const books = new Map(answer.map((row) => [row.symbol, { bid: row.bidPrice, ask: row.askPrice }]));
      return COINS.flatMap((coin) => inEuro(coin, books) ?? overDollar(coin, books) ?? []);
    },
  };
}

function inEuro(coin: Coin, books: Map<string, Book>): VenueQuote | undefined {
  const book = COIN_INFO[coin].tickers.map((symbol) => books.get(`${symbol}EUR`)).find(isBook);
  return book && { venue: 'binance', coin, bid: book.bid, ask: book.ask, synthetic: false };
}

/** Selling the coin for dollars and those for euros meets the coin's bid and the euro's ask; buying meets the other two. */
function overDollar(coin: Coin, books: Map<string, Book>): VenueQuote | undefined {
  const book = COIN_INFO[coin].tickers.map((symbol) => books.get(symbol + DOLLAR)).find(isBook);
  const euro = books.get(EURO_IN_DOLLARS);
  if (!book || !isBook(euro)) return undefined;
  const bid = new Decimal(book.bid).div(euro.ask).toFixed(18);
  const ask = new Decimal(book.ask).div(euro.bid).toFixed(18);
  return { venue: 'binance', coin, bid, ask, synthetic: true };
}
