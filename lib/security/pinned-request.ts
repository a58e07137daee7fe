import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';

const CONNECT_TIMEOUT_MS = 5_000;

export interface PinnedRequest {
  url: URL;
  /** Checked addresses of the URL's host: the only ones that are connected to. Certificate and Host stay the name's. */
  addresses: readonly LookupAddress[];
  headers: Record<string, string>;
  body: string;
  /** Ends the request, its answer included. */
  signal: AbortSignal;
  /** The answer is read up to this many bytes and no further. */
  maxResponseBytes: number;
}

export interface PinnedAnswer {
  status: number;
  retryAfter: string | null;
  /** The part that was read, as UTF-8. */
  text: string;
}

/**
 * POSTs over a connection of its own to one of the given addresses. Follows no redirect, uses no proxy, keeps nothing open.
 * @throws the connection's or the signal's error; an answer that breaks off after its status line still counts as an answer
 */
export async function pinnedRequest(options: PinnedRequest): Promise<PinnedAnswer> {
  const agent = new Agent({
    pipelining: 0,
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: lookupOf(options.addresses) },
  });
  try {
    const answer = await request(options.url, {
      method: 'POST',
      headers: options.headers,
      body: options.body,
      signal: options.signal,
      dispatcher: agent,
    });
    const retryAfter = answer.headers['retry-after'];
    return {
      status: answer.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      text: await readStart(answer.body, options.maxResponseBytes),
    };
  } finally {
    await agent.destroy();
  }
}

/** Node asks for all addresses (it tries them in turn); older callers ask for one. */
function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (!first) callback(new Error('No address to connect to.'), []);
    else if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

async function readStart(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) break;
    }
  } catch {
    // The status has decided already; the text is for the log only.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}
