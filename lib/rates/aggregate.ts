import { Decimal } from './decimal';
import type { VenueQuote } from './venue';

/** Bid and ask further apart than this share of their middle tell no price. */
const MAX_SPREAD = '0.02';
/** A price further from the median than this, and than 4 median deviations, is an outlier. */
const MIN_OUTLIER = '0.015';
const OUTLIER_DEVIATIONS = 4;
/** Two venues must agree, this closely. */
const MIN_VENUES = 2;
const MAX_DISAGREEMENT = '0.02';
/** A jump by more than this within 5 minutes must be seen by three venues. */
const MAX_JUMP = '0.15';
const JUMP_WINDOW_MS = 5 * 60_000;
const MIN_VENUES_FOR_JUMP = 3;
/** Decimals of a rate: a hundredth of a cent would do for the dearest coin, the cheapest keeps 7 significant digits. */
const RATE_DECIMALS = 8;
const SMALLEST_PRICE = '0.00000001';

/** A venue's quote and what became of it. */
export interface JudgedQuote extends VenueQuote {
  /** Middle of bid and ask; null when they tell no price. */
  mid: string | null;
  /** Why it was left out. */
  discarded: 'not_a_price' | 'inverted_book' | 'wide_spread' | 'outlier' | null;
}

/** A rate agreed before. */
export interface LastRate {
  /** EUR per whole coin, decimal text. */
  rate: string;
  at: Date;
}

export type RateDecision =
  | { agreed: true; rate: string; quotes: JudgedQuote[] }
  | { agreed: false; reason: 'too_few_venues' | 'disagreement'; quotes: JudgedQuote[] }
  /** They agree on this, but it is too far from the last rate to be believed at once. */
  | { agreed: false; reason: 'jump'; rate: string; quotes: JudgedQuote[] };
export type NoRate = Extract<RateDecision, { agreed: false }>['reason'];

/**
 * One rate from what the venues say about one coin, or the reason why there is none. A venue alone is never believed, nor two
 * that disagree: that is how an inverted pair or a price that is off by a factor shows.
 * @param last the last agreed rate, for the guard against jumps
 * @returns EUR per whole coin as a decimal text with 8 decimals
 */
export function aggregateRate(quotes: readonly VenueQuote[], last: LastRate | null, now: Date): RateDecision {
  const judged = dropOutliers(quotes.map(judge));
  const kept = pricesOf(judged);
  const venues = new Set(judged.filter((quote) => quote.discarded === null).map((quote) => quote.venue)).size;
  if (venues < MIN_VENUES) return { agreed: false, reason: 'too_few_venues', quotes: judged };
  const middle = median(kept);
  if (
    Decimal.max(...kept)
      .minus(Decimal.min(...kept))
      .gt(middle.times(MAX_DISAGREEMENT))
  ) {
    return { agreed: false, reason: 'disagreement', quotes: judged };
  }
  const rate = middle.toFixed(RATE_DECIMALS);
  if (isJump(middle, last, now) && venues < MIN_VENUES_FOR_JUMP)
    return { agreed: false, reason: 'jump', rate, quotes: judged };
  return { agreed: true, rate, quotes: judged };
}

function judge(quote: VenueQuote): JudgedQuote {
  const bid = readPrice(quote.bid);
  const ask = readPrice(quote.ask);
  if (!bid || !ask) return { ...quote, mid: null, discarded: 'not_a_price' };
  if (bid.gt(ask)) return { ...quote, mid: null, discarded: 'inverted_book' };
  const mid = bid.plus(ask).div(2);
  const wide = ask.minus(bid).gt(mid.times(MAX_SPREAD));
  return { ...quote, mid: mid.toFixed(), discarded: wide ? 'wide_spread' : null };
}

function readPrice(text: string): Decimal | null {
  if (!/^\d{1,30}(\.\d{1,30})?$/.test(text)) return null;
  const price = new Decimal(text);
  return price.lt(SMALLEST_PRICE) ? null : price;
}

function dropOutliers(quotes: JudgedQuote[]): JudgedQuote[] {
  const prices = pricesOf(quotes);
  if (prices.length === 0) return quotes;
  const middle = median(prices);
  const deviation = median(prices.map((price) => price.minus(middle).abs()));
  const limit = Decimal.max(middle.times(MIN_OUTLIER), deviation.times(OUTLIER_DEVIATIONS));
  return quotes.map((quote) => {
    const isOutlier = quote.discarded === null && quote.mid !== null && middle.minus(quote.mid).abs().gt(limit);
    return isOutlier ? { ...quote, discarded: 'outlier' } : quote;
  });
}

function pricesOf(quotes: readonly JudgedQuote[]): Decimal[] {
  return quotes.flatMap(({ mid, discarded }) => (mid !== null && discarded === null ? [new Decimal(mid)] : []));
}

/** Middle value of a list that is not empty; between two middle values, half way. */
function median(values: readonly Decimal[]): Decimal {
  const sorted = [...values].sort((a, b) => a.comparedTo(b));
  const upper = sorted[Math.floor(sorted.length / 2)] ?? new Decimal(0);
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper;
  return lower.plus(upper).div(2);
}

function isJump(rate: Decimal, last: LastRate | null, now: Date): boolean {
  if (!last || now.getTime() - last.at.getTime() > JUMP_WINDOW_MS) return false;
  return isApart(rate, last.rate, MAX_JUMP);
}

/** Is a price further from another than this share of that one? */
export function isApart(price: Decimal | string, from: string, share: string): boolean {
  return new Decimal(price).minus(from).abs().gt(new Decimal(from).times(share));
}
