import { z } from 'zod';
import { ChainError } from '../types';
import { BatchLimit } from './batch-limit';
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
  readonly #limit = new BatchLimit();
  /** The last request brought an answer: what fails after it fails by itself. */
  #answers = false;

  constructor(options: JsonRpcOptions) {
    this.#options = options;
    this.#host = new URL(options.url).host;
  }

  /** One call. @throws ChainError on a fault of the node, its own error answer included */
  async call<T>(call: RpcCall<T>): Promise<T> {
    return unwrap(await this.#single(call));
  }

  /** Several calls, results in the order of the calls. @throws ChainError when any of them failed */
  async batch<T>(calls: RpcCall<T>[]): Promise<T[]> {
    return (await this.settle(calls)).map(unwrap);
  }

  /**
   * Several calls in as few requests as the node takes; a node's error for one call is that call's outcome. A request that
   * the node refuses for its size is made again in smaller ones, down to one call each, and the size is remembered.
   * @throws ChainError when a request as a whole failed, an answer is missing, double or foreign, or the node names a time to
   *   wait
   */
  async settle<T>(calls: RpcCall<T>[]): Promise<RpcOutcome<T>[]> {
    const outcomes: RpcOutcome<T>[] = [];
    while (outcomes.length < calls.length) {
      const next = calls.slice(outcomes.length, outcomes.length + this.#limit.most);
      outcomes.push(...(await this.#some(next)));
    }
    return outcomes;
  }

  /** The first of some calls, as many as the node takes: none when it refused them all, and fewer may be asked then. */
  async #some<T>(calls: RpcCall<T>[]): Promise<RpcOutcome<T>[]> {
    const [first] = calls;
    if (first && calls.length === 1) {
      const outcome = await this.#single(first);
      this.#limit.serve(1);
      return [outcome];
    }
    const answered = await this.#request(calls);
    const served = answered instanceof ChainError ? [] : upToRefused(answered);
    if (served.length === calls.length) this.#limit.serve(calls.length);
    else this.#limit.refuse(calls.length);
    if (answered instanceof ChainError && answered.retryAfterSeconds !== undefined) throw answered;
    return served;
  }

  /** Answers are matched by id, because nodes may send them in any order. @returns the refusal of the request as a whole */
  async #request<T>(calls: RpcCall<T>[]): Promise<RpcOutcome<T>[] | ChainError> {
    const raw = await this.#postBatch(calls);
    if (raw instanceof ChainError) return raw;
    const answers = z.array(AnswerSchema).safeParse(raw);
    if (!answers.success) return this.#refusedBatch(raw);
    const [only] = answers.data;
    if (answers.data.length === 1 && only?.error) return this.#nodeError('a batch', only.error);
    const byId = new Map(answers.data.map((answer) => [Number(answer.id), answer]));
    if (answers.data.length !== calls.length || byId.size !== calls.length)
      throw this.#invalid('missing or double answers in a batch');
    return calls.map((call, index) => {
      const answer = byId.get(index + 1);
      if (!answer) throw this.#invalid(`no answer to ${call.method}`);
      return this.#outcome(call, answer);
    });
  }

  async #postBatch(calls: RpcCall<unknown>[]): Promise<unknown> {
    const wasAnswering = this.#answers;
    try {
      return await this.#post(calls.map((call, index) => request(call, index + 1)));
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      // Too large a question (HTTP 413), too large an answer, or too many at once.
      if (error.reason === 'rate_limited' || error.reason === 'invalid_answer') return error;
      // A node that has just answered may be drowned by this one: the next is smaller.
      if (wasAnswering) this.#limit.refuse(calls.length);
      throw error;
    }
  }

  async #single<T>(call: RpcCall<T>): Promise<RpcOutcome<T>> {
    const answer = AnswerSchema.safeParse(await this.#post(request(call, 1)));
    const isOurs = answer.success && (Number(answer.data.id) === 1 || (answer.data.id == null && answer.data.error));
    if (!isOurs) throw this.#invalid(`no JSON-RPC answer to ${call.method}`);
    return this.#outcome(call, answer.data);
  }

  async #post(body: unknown): Promise<unknown> {
    this.#answers = false;
    const answer = await httpJson({ ...this.#options, body: JSON.stringify(body) });
    this.#answers = true;
    return answer;
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

/** The outcomes before the first that the node had no room for. */
function upToRefused<T>(outcomes: RpcOutcome<T>[]): RpcOutcome<T>[] {
  const at = outcomes.findIndex((outcome) => !outcome.ok && outcome.error.reason === 'rate_limited');
  return at < 0 ? outcomes : outcomes.slice(0, at);
}

function unwrap<T>(outcome: RpcOutcome<T>): T {
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}
