import { z } from 'zod';

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

/**
 * Calls one JSON-RPC method of the local node.
 *
 * @param url the node's address
 * @param schema what the result must look like
 * @throws {Error} when the node does not answer, refuses, or answers in another shape
 */
export async function callNode<T>(url: string, method: string, params: unknown[], schema: z.ZodType<T>): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(60_000),
  });
  const { result, error } = answerSchema.parse(await response.json());
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return schema.parse(result);
}
