import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { handleControl } from '../control/handle-control';
import type { createFaucet } from '../ethereum/faucet';
import { passThrough } from '../ethereum/pass-through';
import type { EthereumNode } from '../ethereum/start-node';
import { binanceBookTicker } from '../prices/binance-book-ticker';
import { krakenTicker } from '../prices/kraken-ticker';
import type { PriceTable } from '../prices/price-table';
import { readBody } from './read-body';

type Devnet = {
  node: Pick<EthereumNode, 'url' | 'blocks' | 'save'>;
  faucet: ReturnType<typeof createFaucet>;
  prices: PriceTable;
  controlToken: string;
  log: (line: string) => void;
};

/**
 * The devnet's one HTTP server: `/eth` (JSON-RPC), `/kraken/0/public/Ticker`, `/binance/api/v3/ticker/bookTicker` (both
 * also without their first part, for clients that ask a venue at its root) and `/control/*`.
 */
export function createDevnetServer(devnet: Devnet): Server {
  return createServer((request, response) => {
    answer(devnet, request, response).catch((error: Error) => {
      devnet.log(`${request.method} ${request.url}: ${error.message}`);
      send(response, error instanceof RangeError ? 413 : 502, { message: error.message });
    });
  });
}

async function answer(devnet: Devnet, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://devnet');
  const path = url.pathname.replace(/^\/(?:kraken|binance)(?=\/)/, '');
  const authorized = isAuthorized(request.headers.authorization, devnet.controlToken);
  if (request.method === 'GET' && path === '/0/public/Ticker') {
    return send(response, 200, krakenTicker(devnet.prices, url.searchParams.get('pair'), Date.now()));
  }
  if (request.method === 'GET' && path === '/api/v3/ticker/bookTicker') {
    const { status, body } = binanceBookTicker(devnet.prices, url.searchParams, Date.now());
    return send(response, status, body);
  }
  if (request.method === 'POST' && path === '/eth') {
    const { status, text } = await passThrough(devnet.node.url, await readBody(request), authorized);
    return sendText(response, status, text);
  }
  if (request.method === 'POST' && path.startsWith('/control/')) {
    if (!authorized) return send(response, 401, { message: 'The control token is missing or wrong.' });
    const { status, body } = await handleControl(devnet, path.slice('/control/'.length), await readJson(request));
    return send(response, status, body);
  }
  return send(response, 404, { message: `There is no ${request.method} ${path}.` });
}

/** Whether an `authorization` header carries the control token. */
function isAuthorized(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse(await readBody(request));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  sendText(response, status, JSON.stringify(body));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
