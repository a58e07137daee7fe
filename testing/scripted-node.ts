import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** One JSON-RPC call as the node receives it. */
export interface ScriptedCall {
  id: number;
  method: string;
  params: unknown[];
}

/** One HTTP request with its calls. */
interface ScriptedRequest {
  isBatch: boolean;
  calls: ScriptedCall[];
}

/** How the node answers a request. */
export type Script = (request: ScriptedRequest, response: ServerResponse) => void | Promise<void>;

export interface ScriptedNode {
  url: string;
  /** Every call received so far, in order. */
  calls: ScriptedCall[];
  /** What answers from now on. */
  script: Script;
  stop(): Promise<void>;
}

/** A node on loopback that answers exactly what a test tells it to, over real HTTP. */
export async function startScriptedNode(script: Script): Promise<ScriptedNode> {
  const node: ScriptedNode = { url: '', calls: [], script, stop: async () => undefined };
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    node.calls.push(...request.calls);
    await node.script(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  node.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  node.stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return node;
}

async function readRequest(incoming: IncomingMessage): Promise<ScriptedRequest> {
  let body = '';
  for await (const chunk of incoming) body += chunk;
  const parsed: ScriptedCall | ScriptedCall[] = JSON.parse(body);
  return Array.isArray(parsed) ? { isBatch: true, calls: parsed } : { isBatch: false, calls: [parsed] };
}

/** A JSON-RPC error as a call's outcome; throw it from `answering`'s function. */
export class ScriptedError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A script that answers each call with what `result` returns, or with the `ScriptedError` that it throws. */
export function answering(result: (call: ScriptedCall) => unknown): Script {
  return async ({ isBatch, calls }, response) => {
    const answers = await Promise.all(calls.map((call) => answer(call, result)));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isBatch ? answers : answers[0]));
  };
}

async function answer(call: ScriptedCall, result: (call: ScriptedCall) => unknown): Promise<unknown> {
  try {
    return { jsonrpc: '2.0', id: call.id, result: await result(call) };
  } catch (error) {
    if (!(error instanceof ScriptedError)) throw error;
    return { jsonrpc: '2.0', id: call.id, error: { code: error.code, message: error.message } };
  }
}
