import { randomUUID } from 'node:crypto';
import { encode } from 'next-auth/jwt';
import { describe, expect, it } from 'vitest';
import { decodeSessionToken, encodeSessionToken } from './session-token';

const SECRET = 'a-secret-of-at-least-32-characters!!';

describe('session token', () => {
  it('leads back to the session, and says nothing else to who reads it', async () => {
    const id = randomUUID();
    const token = await encodeSessionToken(id, SECRET, 60);
    expect(await decodeSessionToken(token, SECRET)).toBe(id);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(id);
  });

  it('is nothing when expired, tampered with, or made with another secret', async () => {
    const id = randomUUID();
    const token = await encodeSessionToken(id, SECRET, 60);
    const flipped = token.slice(0, -3) + (token.at(-3) === 'A' ? 'B' : 'A') + token.slice(-2);
    expect(await decodeSessionToken(await encodeSessionToken(id, SECRET, -60), SECRET)).toBeNull();
    expect(await decodeSessionToken(flipped, SECRET)).toBeNull();
    expect(await decodeSessionToken(token, `${SECRET}x`)).toBeNull();
  });

  it('is nothing without a session id, and with any header but our own', async () => {
    const withoutId = await encode({ token: { sub: '1' }, secret: SECRET });
    const header = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
    expect(await decodeSessionToken(withoutId, SECRET)).toBeNull();
    for (const forged of [
      `${header({ alg: 'none' })}.${header({ sid: randomUUID() })}.`,
      `${header({ alg: 'HS256' })}.${header({ sid: randomUUID() })}.AAAA`,
      `${header({ alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2c: 10_000_000, p2s: 'AAAA' })}.AAAA.AAAA.AAAA.AAAA`,
      '',
      'undefined',
      'x'.repeat(100_000),
    ])
      expect(await decodeSessionToken(forged, SECRET)).toBeNull();
  });
});
