import { parse } from 'lossless-json';
import { AppError } from '@/lib/shared/errors';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '@/lib/shared/limits';
import { measureJson } from '@/lib/shared/measure-json';

const PLAIN_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

const TOO_DEEP = `Il JSON è annidato troppo: al massimo ${MAX_JSON_DEPTH} livelli.`;
const TOO_MANY = `Il JSON contiene troppi valori: al massimo ${MAX_JSON_VALUES}.`;

/** A double's shortest plain text has at most 25 characters; this leaves room for zeros at its end. */
const MAX_NUMBER_LENGTH = 40;

/**
 * Parses a JSON text without ever changing a number: what a person wrote is what the schema sees.
 *
 * A number becomes a `number` only when it is a plain decimal and that number's shortest text says the same
 * ("10.50" is 10.5). Any other one ("1e3", "0.1000000000000000055", "-0", "1e999") becomes a symbol, a value that no
 * schema accepts, so that it is refused as the field's own mistake and not as broken JSON. `__proto__` is an ordinary
 * key; a key that is given twice with two values is refused, because two parsers could read two things.
 *
 * The text is measured first, so that neither the parser nor a schema behind it recurses or compares without bounds.
 *
 * @throws {AppError} `invalid_json`, also for more than `MAX_JSON_DEPTH` levels or `MAX_JSON_VALUES` values
 */
export function parseJson(text: string): unknown {
  const { depth, values } = measureJson(text);
  if (depth > MAX_JSON_DEPTH) throw new AppError('invalid_json', { message: TOO_DEEP });
  if (values > MAX_JSON_VALUES) throw new AppError('invalid_json', { message: TOO_MANY });
  try {
    return parse(text, null, { parseNumber: exactNumber });
  } catch (cause) {
    throw new AppError('invalid_json', { cause });
  }
}

function exactNumber(text: string): number | symbol {
  const refused = Symbol(text.slice(0, MAX_NUMBER_LENGTH));
  if (text.length > MAX_NUMBER_LENGTH || !PLAIN_DECIMAL.test(text)) return refused;
  const shortest = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  const value = Number(text);
  return String(value) === shortest ? value : refused;
}
