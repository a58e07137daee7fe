import { Decimal } from 'decimal.js';

/** What the market price of a pair swings around: quote currency per unit, near the prices of 2026. */
const PRICES = { ETH: '2500', BNB: '580', TON: '1.49', TRX: '0.27', LTC: '82', EURUSDT: '1.16' } as const;
export type PricedName = keyof typeof PRICES;

/** Best prices of one pair at one venue, decimal texts. */
export type Book = { bid: string; ask: string; bidSize: string; askSize: string };

/** The swing: at most 0.3 % either way in ten minutes, so that a quote moves but no guard against jumps trips. */
const SWING = 0.003;
const PERIOD_MS = 600_000;
/** Half the distance between bid and ask. */
const HALF_SPREAD = 0.0004;

/**
 * The devnet's market. The same moment gives the same prices in every instance; both venues stay within 0.1 %.
 */
export class PriceTable {
  readonly #set = new Map<PricedName, string>();

  /** Moves a price: EUR per coin (USDT per EUR for EURUSDT), decimal text above 0. */
  setPrice(name: PricedName, price: string): void {
    this.#set.set(name, price);
  }

  /**
   * Best prices of a coin in EUR, or of the pair EURUSDT.
   *
   * @param venueOffset how far this venue stands from the market, e.g. 0.0005
   * @param now Unix time in milliseconds
   */
  book(name: PricedName, venueOffset: number, now: number): Book {
    return spread(this.#middle(name, venueOffset, now), now);
  }

  /** As `book`, of a coin in USDT. */
  bookInUsdt(name: PricedName, venueOffset: number, now: number): Book {
    return spread(this.#middle(name, venueOffset, now).times(this.#middle('EURUSDT', 0, now)), now);
  }

  #middle(name: PricedName, venueOffset: number, now: number): Decimal {
    const phase = name.length + name.charCodeAt(0);
    const swing = SWING * Math.sin((2 * Math.PI * now) / PERIOD_MS + phase);
    return new Decimal(this.#set.get(name) ?? PRICES[name]).times(1 + swing + venueOffset);
  }
}

function spread(middle: Decimal, now: number): Book {
  const digits = middle.gte(100) ? 2 : middle.gte(1) ? 4 : 6;
  const size = (step: number) => new Decimal(1 + ((now / 1000 + step) % 97) / 10).toFixed(4);
  return {
    bid: middle.times(1 - HALF_SPREAD).toFixed(digits, Decimal.ROUND_DOWN),
    ask: middle.times(1 + HALF_SPREAD).toFixed(digits, Decimal.ROUND_UP),
    bidSize: size(13),
    askSize: size(41),
  };
}
