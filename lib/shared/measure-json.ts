/** How deep a JSON text is nested, and the most values that it can hold. */
export interface JsonMeasure {
  /** Arrays and objects inside each other; 0 for a scalar. */
  depth: number;
  /** Values at most: one, and one more for every array, object and comma. */
  values: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Measures a JSON text before anything parses it: one pass, no recursion, no memory. What stands inside strings does not
 * count. Whether the text is JSON at all is for the parser to say; of a broken one the measure is never too small for
 * the part that a parser reads before it finds the break.
 */
export function measureJson(text: string): JsonMeasure {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        depth++;
        values++;
        if (depth > deepest) deepest = depth;
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--;
        break;
      case COMMA:
        values++;
    }
  }
  return { depth: deepest, values };
}

/** Index of the quote that ends the string which begins at `start`, or of the text's end. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); at < text.length && code !== QUOTE; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at;
}
