import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** One request that arrived, as a receiver sees it. */
export interface ReceivedWebhook {
  path: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: string;
  at: Date;
}

/** What the inbox does with a request: answers with a status and more, or whatever a test does to the raw response. */
type InboxAnswer =
  | { status: number; headers?: Record<string, string>; body?: string }
  | ((response: ServerResponse) => void);

export interface WebhookInbox {
  /** URL of a path of the inbox, on 127.0.0.1. */
  url(path?: string): string;
  /** All requests so far, in order of arrival. */
  received: ReceivedWebhook[];
  /** Scripts the next answers on a path, in order; after them it answers 204 again. */
  answer(path: string, ...answers: InboxAnswer[]): void;
  close(): Promise<void>;
}

/** Starts a receiver of webhooks on a free port of 127.0.0.1. */
export async function startWebhookInbox(): Promise<WebhookInbox> {
  const received: ReceivedWebhook[] = [];
  const scripts = new Map<string, InboxAnswer[]>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push({ path, headers, body: await text(request), at: new Date() });
    const answer = scripts.get(path)?.shift() ?? { status: 204 };
    if (typeof answer === 'function') answer(response);
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path = '/hook') => `http://127.0.0.1:${port}${path}`,
    received,
    answer: (path, ...answers) => scripts.set(path, [...(scripts.get(path) ?? []), ...answers]),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * Verifies a request the way a receiver should.
 * @returns the parsed body
 * @throws WebhookVerificationError when the signature does not fit
 */
export function verifyWebhook(webhook: ReceivedWebhook, secret: string): unknown {
  return new Webhook(secret).verify(webhook.body, webhook.headers);
}
