import { COIN_INFO, type Coin } from './coins';

/** Crypto amounts are shown with this many decimals. */
export const SHOWN_DECIMALS = 8;

/** Largest invoice: 1,000,000 EUR. */
export const MAX_AMOUNT_EUR_CENTS = 100_000_000;

const DECIMAL = /^(0|[1-9]\d*)(?:\.(\d+))?$/;

/** Decimals at which a coin's amount due is asked: min(8, decimals of the coin). */
export function payableDecimals(coin: Coin): number {
  return Math.min(SHOWN_DECIMALS, COIN_INFO[coin].decimals);
}

/**
 * Turns a plain decimal text ("0.5", no sign, no exponent) into base units with `decimals` decimals.
 * @returns the units, or null when the text is not such a number or has more decimals than the unit can hold.
 */
export function parseUnits(text: string, decimals: number): bigint | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const whole = match[1] ?? '0';
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) return null;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Base units as an exact decimal text with all `decimals` decimals: (10n ** 18n, 18) → "1.000000000000000000". */
export function formatUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

/** Rounding of a unit amount to fewer decimals: `up` for what is due, `down` for what was received or is owned. */
export type Rounding = 'up' | 'down';

/** Rounds non-negative units to a multiple of 10^(decimals − keep). */
function roundUnits(units: bigint, decimals: number, keep: number, rounding: Rounding): bigint {
  if (decimals <= keep) return units;
  const step = 10n ** BigInt(decimals - keep);
  const rest = units % step;
  if (rest === 0n) return units;
  return rounding === 'up' ? units - rest + step : units - rest;
}

/**
 * A coin amount as the API and the screens write it: a decimal text with exactly 8 decimals.
 * Received and owned money is rounded down, money still due is rounded up, so that nobody is told too little to pay.
 */
export function toShownAmount(units: bigint, coin: Coin, rounding: Rounding): string {
  const { decimals } = COIN_INFO[coin];
  const rounded = roundUnits(units, decimals, SHOWN_DECIMALS, rounding);
  const shift = decimals - SHOWN_DECIMALS;
  return formatUnits(shift >= 0 ? rounded / 10n ** BigInt(shift) : rounded * 10n ** BigInt(-shift), SHOWN_DECIMALS);
}

/** Integer cents as the JSON number of euros of the API: 14850 → 148.5. */
export function centsToEuro(cents: number): number {
  return cents / 100;
}

/**
 * Euros as a JSON number to integer cents, exactly: the shortest decimal text of the number is read, never multiplied.
 * @returns null when it is not a plain number above 0 with at most 2 decimals and at most 1,000,000.
 */
export function euroToCents(euro: number): number | null {
  const units = parseUnits(String(euro), 2);
  if (units === null || units < 1n || units > BigInt(MAX_AMOUNT_EUR_CENTS)) return null;
  return Number(units);
}

const RATE_DECIMALS = 18;

/** @throws RangeError when the text is not a rate above 0 with at most 18 decimals */
function scaledRate(rate: string): bigint {
  const scaled = parseUnits(rate, RATE_DECIMALS);
  if (scaled === null || scaled <= 0n) throw new RangeError(`Not a rate: ${rate}`);
  return scaled;
}

/**
 * What is due for an amount in EUR, in base units, rounded up to the decimals that are shown: whoever pays exactly what
 * the page shows has paid.
 * @param rate EUR per whole coin, decimal text
 * @throws RangeError when the rate is not a positive decimal
 */
export function eurCentsToDueUnits(amountEurCents: number, coin: Coin, rate: string): bigint {
  const { decimals } = COIN_INFO[coin];
  const numerator = BigInt(amountEurCents) * 10n ** BigInt(decimals + RATE_DECIMALS);
  const denominator = 100n * scaledRate(rate);
  const exactUp = (numerator + denominator - 1n) / denominator;
  return roundUnits(exactUp, decimals, payableDecimals(coin), 'up');
}

/** Value of a coin amount in EUR cents, rounded down. @throws RangeError when the rate is not a positive decimal */
export function unitsToEurCents(units: bigint, coin: Coin, rate: string): number {
  const scale = 10n ** BigInt(COIN_INFO[coin].decimals + RATE_DECIMALS);
  return Number((units * scaledRate(rate) * 100n) / scale);
}

/** Smallest amount that is shown, in base units: a remainder below it cannot be asked for and counts as paid. */
export function smallestShownUnits(coin: Coin): bigint {
  return 10n ** BigInt(COIN_INFO[coin].decimals - payableDecimals(coin));
}

/** Money below this many base units is told to nobody as late or too much: it cannot be shown, or is dust. */
export function leastToldUnits(coin: Coin): bigint {
  const shown = smallestShownUnits(coin);
  const { dustUnits } = COIN_INFO[coin];
  if (shown > dustUnits) return shown;
  return dustUnits;
}

/** Nothing, as an amount of whatever coin: what was paid before a coin is chosen. */
export const ZERO_SHOWN = formatUnits(0n, SHOWN_DECIMALS);
