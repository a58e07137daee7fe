import { readFile } from 'node:fs/promises';
import type { Env } from '@/lib/config/env';

const KEK_BYTES = 32;

/**
 * The key-encryption key of this signer, from KEK or from the file that KEK_FILE names (base64 of 32 bytes).
 * @throws Error with one sentence when neither is set, or the file cannot be read or holds something else
 */
export async function loadKek(env: Pick<Env, 'KEK' | 'KEK_FILE'>): Promise<Buffer> {
  if (env.KEK) return env.KEK;
  if (!env.KEK_FILE) throw new Error('The signer needs its key-encryption key: set KEK_FILE or KEK.');
  const text = await readFile(env.KEK_FILE, 'utf8').catch((cause: Error) => {
    throw new Error(`The key-encryption key cannot be read from KEK_FILE (${env.KEK_FILE}).`, { cause });
  });
  const kek = Buffer.from(text.trim(), 'base64');
  if (kek.length !== KEK_BYTES) throw new Error('KEK_FILE must hold 32 bytes in base64.');
  return kek;
}
