import { randomUUID } from 'node:crypto';

/** Begins every password of the tests, so that one of them in a log is found. */
export const SECRET_MARK = 'parola-segreta-';

/** A password that nobody else uses. */
export function secretWord(): string {
  return SECRET_MARK + randomUUID();
}
