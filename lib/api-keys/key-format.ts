import { createHash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'inc_live_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
/** 62⁶ is more than 2³²: six characters hold any CRC-32. */
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new key: prefix, 32 random base62 characters (190 bits), checksum of all that. */
export function generateApiKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
  const body = PREFIX + random;
  return body + checksum(body);
}

/**
 * Tells, without a database, whether a text can be one of our keys. The checksum is no secret: it catches typing
 * errors and lets scanners of leaked secrets know a key when they see one.
 */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** What is stored to find a key again: SHA-256, hex. A fast hash is enough for 190 random bits (ASVS 5.0, 6.5.2). */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The first 14 and last 7 characters: enough to tell keys apart, useless to call with. */
export function maskApiKey(key: string): string {
  return `${key.slice(0, 14)}••••${key.slice(-7)}`;
}

/** A webhook signing secret in the form of Standard Webhooks 1.0: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function checksum(text: string): string {
  let left = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62.charAt(left % BASE62.length) + digits;
    left = Math.floor(left / BASE62.length);
  }
  return digits;
}
