import { z } from 'zod';
import { isPublicMethod } from './is-public-method';

const callSchema = z.looseObject({ method: z.string(), id: z.union([z.string(), z.number(), z.null()]).optional() });
const bodySchema = z.union([callSchema, z.array(callSchema).min(1).max(1000)]);

/** A JSON-RPC answer: status of the HTTP answer and its JSON text. */
type Answer = { status: number; text: string };

/**
 * Hands a JSON-RPC request, single or batch, to the node.
 *
 * @param nodeUrl the node's address
 * @param text the request's body as it came
 * @param authorized whether the caller showed the control token
 * @returns the node's answer, or -32700 (not JSON-RPC) or -32601 (a method that needs the token)
 */
export async function passThrough(nodeUrl: string, text: string, authorized: boolean): Promise<Answer> {
  const parsed = bodySchema.safeParse(parseJson(text));
  if (!parsed.success) return failure(null, -32_700, 'not a JSON-RPC request');
  const calls = [parsed.data].flat();
  const refused = authorized ? undefined : calls.find((call) => !isPublicMethod(call.method));
  if (refused !== undefined) return failure(refused.id ?? null, -32_601, `${refused.method} needs the control token`);
  const response = await fetch(nodeUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
    signal: AbortSignal.timeout(60_000),
  });
  return { status: response.status, text: await response.text() };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failure(id: string | number | null, code: number, message: string): Answer {
  return { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }) };
}
