import type { Clock } from '@/lib/shared/time';
import { createPrimaryWallet } from '@/lib/wallets/create-primary-wallet';
import { makeApiKey, makeUser } from '@/testing/factories';
import type { InvoiceRow } from './books';
import type { ModelDatabases } from './databases';

/** How a merchant takes money that is short or late. */
export interface MerchantRules {
  latePolicy: 'review' | 'accept';
  toleranceBasisPoints: number;
}

/** A merchant with keys of every kind, and who is told of what. */
export interface Merchant {
  userId: number;
  rules: MerchantRules;
  /** What invoices are made with; null is the screen. */
  keyIds: readonly (number | null)[];
  /** Keys that the events of an invoice go to. */
  keysOf(invoice: Pick<InvoiceRow, 'apiKeyId'>): number[];
}

export async function makeMerchant({ owner }: ModelDatabases, rules: MerchantRules): Promise<Merchant> {
  const { id: userId } = await makeUser(owner.pool);
  await owner.pool.query('UPDATE user_account SET late_policy = $2, tolerance_basis_points = $3 WHERE id = $1', [
    userId,
    rules.latePolicy,
    rules.toleranceBasisPoints,
  ]);
  // The run's own time is long ago: the policy was there first.
  await owner.pool.query(`UPDATE user_account SET late_policy_since = '1970-01-01' WHERE id = $1`, [userId]);
  const shop = await makeApiKey(owner.pool, { userId });
  const desk = await makeApiKey(owner.pool, { userId });
  const silent = await makeApiKey(owner.pool, { userId, webhookUrl: null });
  const ended = await makeApiKey(owner.pool, { userId });
  await owner.pool.query('UPDATE api_key SET is_active = false WHERE id = $1', [ended.id]);
  const told = [shop.id, desk.id];
  return {
    userId,
    rules,
    keyIds: [null, shop.id, desk.id, silent.id, ended.id],
    keysOf: ({ apiKeyId }) => (apiKeyId === null ? told : told.filter((id) => id === apiKeyId)),
  };
}

/** Address of a new primary wallet of the merchant. */
export async function makePrimaryWallet({ web }: ModelDatabases, { userId }: Merchant, clock: Clock): Promise<string> {
  const { uuid } = await createPrimaryWallet(web, userId, 'ETH', clock);
  const { rows } = await web.pool.query<{ address: string }>('SELECT address FROM wallet WHERE uuid = $1', [uuid]);
  return rows[0]?.address ?? '';
}
