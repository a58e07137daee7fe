import { z } from 'zod';
import { InvoiceStatusChanged } from '@/lib/api-schema/webhooks';
import type { WebhookInbox } from '@/testing/webhook-inbox';

const WEBHOOK_WITHIN_MS = 30_000;
const Session = z.object({ token: z.string() });
const CreatedKey = z.object({ key: z.string() });
const CreatedInvoice = z.object({ uuid: z.string(), amount: z.string(), wallet: z.object({ address: z.string() }) });

/** An integrator of an instance: one merchant with one API key and one webhook. */
export class Shop {
  private constructor(
    private readonly url: string,
    private readonly apiKey: string,
  ) {}

  /** Registers a merchant and creates a key that notifies `webhookUrl`. */
  static async open(url: string, webhookUrl: string): Promise<Shop> {
    const email = `bench-${Date.now()}@example.com`;
    const merchant = { name: 'Bench', email, password: 'una password lunga' };
    const { token } = Session.parse(await post(`${url}/api/auth/register`, merchant, {}));
    const body = { name: 'Bench', webhookUrl };
    const { key } = CreatedKey.parse(await post(`${url}/api/apikeys`, body, { authorization: `Bearer ${token}` }));
    return new Shop(url, key);
  }

  /** An invoice of 10 EUR in ETH. */
  async createInvoice(): Promise<{ uuid: string; amount: string; address: string }> {
    const body = { amountEuro: 10, cryptoType: 'ETH' };
    const { uuid, amount, wallet } = CreatedInvoice.parse(
      await post(`${this.url}/api/invoices`, body, { 'x-api-key': this.apiKey }),
    );
    return { uuid, amount, address: wallet.address };
  }

  /** When the webhook that says "paid" of this invoice arrived, in milliseconds since the epoch. */
  async paidWebhookAt(inbox: WebhookInbox, uuid: string): Promise<number> {
    for (const until = Date.now() + WEBHOOK_WITHIN_MS; Date.now() < until; await pause(5)) {
      const webhook = inbox.received.find(({ body }) => {
        const { data } = InvoiceStatusChanged.parse(JSON.parse(body));
        return data.uuid === uuid && data.status === 'paid';
      });
      if (webhook) return webhook.at.getTime();
    }
    throw new Error(`No webhook for invoice ${uuid}.`);
  }
}

async function post(url: string, body: object, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
