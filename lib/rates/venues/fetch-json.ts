import type { z } from 'zod';

const TIMEOUT_MS = 5_000;

/**
 * GETs a JSON answer within 5 s and parses it.
 * @throws Error when the answer does not come, is not 2xx or has another shape
 */
export async function fetchJson<T>(url: URL, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url.host} answered ${response.status}.`);
  }
  return schema.parse(await response.json());
}
