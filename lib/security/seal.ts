import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals bytes with AES-256-GCM under a fresh random nonce.
 * @param key 32 bytes
 * @param context associated data: what the bytes are and whose; a sealed value moved elsewhere does not open there
 * @returns nonce (12), ciphertext, tag (16)
 */
export function seal(plain: Uint8Array, key: Uint8Array, context: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context, 'utf8'));
  return new Uint8Array(Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
}

/**
 * Opens what `seal` made.
 * @throws Error when key, context or any byte differs
 */
export function openSealed(sealed: Uint8Array, key: Uint8Array, context: string): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('Sealed value is too short.');
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(sealed.length - TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context, 'utf8')).setAuthTag(tag);
  const plain = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
  return Buffer.concat([plain, decipher.final()]);
}
