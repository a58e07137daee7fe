import type { IncomingMessage } from 'node:http';

const LIMIT = 5 * 1024 * 1024;

/**
 * Reads a request's body as text.
 *
 * @throws {RangeError} when it is larger than 5 MB
 */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LIMIT) throw new RangeError('the body is larger than 5 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
