import { MIN_PASSWORD_LENGTH } from '@/lib/shared/limits';

let known: Promise<ReadonlySet<string>> | undefined;

/**
 * Tells whether a password is among the 49,000 that people choose most often, in small or capital letters: who guesses tries
 * those first (NIST SP 800-63B, 3.1.1.2; ASVS 5.0, 6.2.4 asks for 3,000). The list is read at the first question.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= readList();
  return (await known).has(password.trim().toLowerCase());
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= MIN_PASSWORD_LENGTH));
}
