import { AppError } from '@/lib/shared/errors';
import { BODY_DEADLINE_MS, MAX_BODY_BYTES } from '@/lib/shared/limits';
import { parseJson } from './parse-json';

const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)$/;

/**
 * Reads a request's body as a JSON object of at most `MAX_BODY_BYTES`. The bytes are counted while they come in; the
 * declared length only serves to refuse earlier.
 * @param deadlineMs for the whole body, however it trickles
 * @throws {AppError} `unsupported_media_type`, `body_too_large`, `request_timeout`, `invalid_json` (also for what is not
 *   an object)
 */
export async function readJsonBody(request: Request, deadlineMs = BODY_DEADLINE_MS): Promise<Record<string, unknown>> {
  requireJson(request.headers);
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) throw new AppError('body_too_large');
  const value = parseJson(decodeUtf8(await inTime(readCapped(request), deadlineMs)));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new AppError('invalid_json');
  return value as Record<string, unknown>;
}

function requireJson(headers: Headers): void {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='));
  const encoding = headers.get('content-encoding') ?? 'identity';
  const isUtf8 = !charset || /^charset="?utf-?8"?$/.test(charset);
  if (!JSON_TYPE.test(type.trim()) || !isUtf8 || encoding !== 'identity') throw new AppError('unsupported_media_type');
}

async function readCapped(request: Request): Promise<Uint8Array> {
  if (!request.body) throw new AppError('invalid_json');
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new AppError('invalid_json', { cause });
    });
    if (done) return Buffer.concat(chunks, size);
    size += value.byteLength;
    // Left unread on purpose: cancelling would cut the connection before the caller can read the refusal.
    if (size > MAX_BODY_BYTES) throw new AppError('body_too_large');
    chunks.push(value);
  }
}

/** What comes too late is left unread: the answer to it closes the connection. */
async function inTime<T>(reading: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('request_timeout')), deadlineMs);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_json', { cause });
  }
}
