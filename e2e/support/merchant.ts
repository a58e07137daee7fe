import { randomBytes, randomUUID } from 'node:crypto';
import { CreatedApiKeyView } from '@/lib/api-schema/api-keys';
import { SessionView, type UserView } from '@/lib/api-schema/auth';
import { type CreateInvoiceInput, InvoiceDetailView, InvoiceView } from '@/lib/api-schema/invoices';
import { WalletView } from '@/lib/api-schema/wallets';
import type { Coin } from '@/lib/shared/coins';
import { type ApiAnswer, type ApiCall, callApi } from './call-api';
import { secretWord } from './secret-word';

/** A signed-in merchant of a test's own. */
export class Merchant {
  readonly #base: string;
  readonly user: UserView;
  readonly token: string;
  readonly password: string;

  private constructor(base: string, session: SessionView, password: string) {
    this.#base = base;
    this.user = session.user;
    this.token = session.token;
    this.password = password;
  }

  /** Registers over the API, from an address of its own. */
  static async register(base: string, name = `Bottega ${randomUUID().slice(0, 8)}`): Promise<Merchant> {
    const json = { name, email: `${randomUUID()}@bottega.example`, password: secretWord() };
    const address = [10, ...randomBytes(3)].join('.');
    const answer = await callApi(base, '/api/auth/register', { json, headers: { 'X-Forwarded-For': address } });
    return new Merchant(base, SessionView.parse(answer.body), json.password);
  }

  /** Calls the API with the merchant's token. */
  call(path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    return callApi(this.#base, path, { token: this.token, ...call });
  }

  /** An invoice made by the merchant, 25 EUR in ETH for a day unless told otherwise. */
  async createInvoice(input: Partial<CreateInvoiceInput> = {}): Promise<InvoiceView> {
    const json = { amountEuro: 25, cryptoType: 'ETH', expiryMinutes: 1440, ...input };
    return InvoiceView.parse((await this.call('/api/invoices', { json })).body);
  }

  /** The invoice as it is now. */
  async invoice(uuid: string): Promise<InvoiceDetailView> {
    return InvoiceDetailView.parse((await this.call(`/api/invoices/${uuid}`)).body);
  }

  async createWallet(cryptoType: Coin = 'ETH'): Promise<WalletView> {
    return WalletView.parse((await this.call('/api/wallets/create-primary', { json: { cryptoType } })).body);
  }

  async createApiKey(webhookUrl?: string): Promise<CreatedApiKeyView> {
    const json = { name: `Negozio ${randomUUID().slice(0, 8)}`, webhookUrl };
    return CreatedApiKeyView.parse((await this.call('/api/apikeys', { json })).body);
  }

  /** Gives a public invoice its email, as the customer would. */
  async setEmail(uuid: string, email = `${randomUUID()}@cliente.example`): Promise<string> {
    await callApi(this.#base, `/api/invoices/public/${uuid}/email`, { method: 'PUT', json: { email } });
    return email;
  }
}
