import { z } from 'zod';
import type { Coin } from '@/lib/shared/coins';
import { StartError } from '@/starter/start-error';

/** What the test customer reads of the public view. */
const invoiceSchema = z.object({
  uuid: z.string(),
  status: z.string(),
  email: z.string().nullable(),
  cryptoType: z.string().nullable(),
  amountRemaining: z.string().nullable(),
  wallet: z.object({ address: z.string() }).nullable(),
});
export type PublicInvoice = z.infer<typeof invoiceSchema>;

/** Any address will do: the mails of an embedded instance end in its own inbox. */
const CUSTOMER_EMAIL = 'cliente@incassa.example';

/**
 * Goes through the steps that a customer's browser goes through before paying: reads the invoice, leaves an email and
 * chooses a coin where that was not done yet.
 *
 * @param url base URL of the instance
 * @param coin the coin to choose
 * @throws {StartError} with the product's own message when it refuses
 */
export async function preparePublicInvoice(url: string, uuid: string, coin: Coin): Promise<PublicInvoice> {
  const path = `${url}/api/invoices/public/${uuid}`;
  let invoice = await ask('GET', path);
  if (invoice.email === null) invoice = await ask('PUT', `${path}/email`, { email: CUSTOMER_EMAIL });
  if (invoice.cryptoType === null) invoice = await ask('POST', `${path}/crypto`, { cryptoType: coin });
  return invoice;
}

async function ask(method: string, path: string, body?: unknown): Promise<PublicInvoice> {
  const response = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => {
    throw new StartError(`${path} does not answer.`);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    const problem = z.object({ message: z.string() }).safeParse(answer);
    throw new StartError(`${method} ${path}: ${response.status} ${problem.data?.message ?? ''}`.trim());
  }
  return invoiceSchema.parse(answer);
}
