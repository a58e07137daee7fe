const EURO = new Intl.NumberFormat('it-IT', { style: 'currency', currency: 'EUR', useGrouping: 'always' });
const CRYPTO = new Intl.NumberFormat('it-IT', {
  minimumFractionDigits: 8,
  maximumFractionDigits: 8,
  useGrouping: 'always',
});
const DATE_TIME = new Intl.DateTimeFormat('it-IT', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Europe/Rome',
});

/** Intl formats decimal strings exactly; TypeScript's type for that is a template literal. */
type DecimalText = Intl.StringNumericLiteral;

/** Euros as people read them: "1.248,50 €". Takes a number of euros or an exact decimal text. */
export function formatEuro(euro: number | string): string {
  return EURO.format(euro as DecimalText);
}

/** A crypto amount (decimal text) with 8 decimals, without its unit: "0,04762058". */
export function formatCrypto(amount: string): string {
  return CRYPTO.format(amount as DecimalText);
}

/** ISO 8601 text to "27 nov 2026, 18:42", in Europe/Rome. */
export function formatDateTime(iso: string): string {
  return DATE_TIME.format(new Date(iso));
}

/** Remaining seconds as "m:ss", also above an hour: 3725 → "62:05". */
export function formatCountdown(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
}

/** "#" plus the last 8 characters of a uuid. */
export function shortUuid(uuid: string): string {
  return `#${uuid.slice(-8)}`;
}

/** First 6 and last 6 characters of an address (cards and tables; never where it is about to be paid). */
export function shortAddress(address: string): string {
  return address.length <= 15 ? address : `${address.slice(0, 6)}…${address.slice(-6)}`;
}

/** First 8 and last 8 characters of a transaction hash. */
export function shortHash(hash: string): string {
  return hash.length <= 18 ? hash : `${hash.slice(0, 8)}…${hash.slice(-8)}`;
}
