import { z } from 'zod';
import { ChainError } from '../types';
import { httpJson } from './http-json';

/** A call and the shape of its result. */
export interface RpcCall<T> {
  method: string;
  params: unknown[];
  result: z.ZodType<T>;
}

/** What one call of a batch came to: its result, or the error that the node reports for it. */
export type RpcOutcome<T> = { ok: true; value: T } | { ok: false; error: ChainError };

export interface JsonRpcOptions {
  url: string;
  timeoutMs?: number;
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

const AnswerSchema = z.object({
  id: z.union([z.number(), z.string()]).nullish(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string().default('') }).nullish(),
});
type Answer = z.infer<typeof AnswerSchema>;

/** Codes by which nodes and providers say "too many requests" (EIP-1474 limit exceeded, and 429 as a code). */
const RATE_LIMIT_CODES = new Set([-32005, 429]);

/** JSON-RPC 2.0 over HTTP POST. Every result is parsed; nothing that does not fit its schema gets out. */
export class JsonRpcClient {
  readonly #options: JsonRpcOptions;
  readonly #host: string;

  constructor(options: JsonRpcOptions) {
    this.#options = options;
    this.#host = new URL(options.url).host;
  }

  /** One call. @throws ChainError on a fault of the node, its own error answer included */
  async call<T>(call: RpcCall<T>): Promise<T> {
    const answer = AnswerSchema.safeParse(await this.#post(request(call, 1)));
    if (!answer.success || Number(answer.data.id) !== 1) throw this.#invalid(`no JSON-RPC answer to ${call.method}`);
    return unwrap(this.#outcome(call, answer.data));
  }

  /** Several calls in one request, results in the order of the calls. @throws ChainError when any of them failed */
  async batch<T>(calls: RpcCall<T>[]): Promise<T[]> {
    return (await this.settle(calls)).map(unwrap);
  }

  /**
   * Several calls in one request; a node's error for one call is that call's outcome. Answers are matched by id, because
   * nodes may send them in any order.
   * @throws ChainError when the request as a whole failed, or an answer is missing, double or foreign
   */
  async settle<T>(calls: RpcCall<T>[]): Promise<RpcOutcome<T>[]> {
    if (calls.length === 0) return [];
    const raw = await this.#post(calls.map((call, index) => request(call, index + 1)));
    const answers = z.array(AnswerSchema).safeParse(raw);
    if (!answers.success) throw this.#refusedBatch(raw);
    const byId = new Map(answers.data.map((answer) => [Number(answer.id), answer]));
    if (answers.data.length !== calls.length || byId.size !== calls.length)
      throw this.#invalid('missing or double answers in a batch');
    return calls.map((call, index) => {
      const answer = byId.get(index + 1);
      if (!answer) throw this.#invalid(`no answer to ${call.method}`);
      return this.#outcome(call, answer);
    });
  }

  #post(body: unknown): Promise<unknown> {
    return httpJson({ ...this.#options, body: JSON.stringify(body) });
  }

  #outcome<T>(call: RpcCall<T>, answer: Answer): RpcOutcome<T> {
    if (answer.error) return { ok: false, error: this.#nodeError(call.method, answer.error) };
    const parsed = call.result.safeParse(answer.result);
    if (parsed.success) return { ok: true, value: parsed.data };
    const [issue] = parsed.error.issues;
    return { ok: false, error: this.#invalid(`${call.method}: ${issue?.path.join('.')} ${issue?.message}`) };
  }

  #nodeError(method: string, error: NonNullable<Answer['error']>): ChainError {
    const reason = RATE_LIMIT_CODES.has(error.code) ? 'rate_limited' : 'invalid_answer';
    return new ChainError(reason, `${this.#host} refused ${method}: ${error.code} ${error.message.slice(0, 200)}`);
  }

  /** Providers refuse a whole batch with a single error object. */
  #refusedBatch(raw: unknown): ChainError {
    const single = AnswerSchema.safeParse(raw);
    if (single.success && single.data.error) return this.#nodeError('a batch', single.data.error);
    return this.#invalid('no answer to a batch');
  }

  #invalid(message: string): ChainError {
    return new ChainError('invalid_answer', `${this.#host}: ${message}`);
  }
}

function request(call: RpcCall<unknown>, id: number) {
  return { jsonrpc: '2.0', id, method: call.method, params: call.params };
}

function unwrap<T>(outcome: RpcOutcome<T>): T {
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}
