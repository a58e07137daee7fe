import type { ChainCursor, Invoice, User, Wallet } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { confirmationsInSql } from '@/lib/deposits/confirmations';

/** An invoice with its wallet and its chain's cursor, as one query reads them. Amounts are base units. */
export type InvoiceRow = Row<
  Invoice,
  | 'id'
  | 'uuid'
  | 'userId'
  | 'apiKeyId'
  | 'description'
  | 'externalCode'
  | 'email'
  | 'amountEurCents'
  | 'coin'
  | 'amountUnits'
  | 'walletId'
  | 'chainEpoch'
  | 'expiryMinutes'
  | 'expiresAt'
  | 'createdAt'
  | 'status'
  | 'paymentState'
  | 'amountPaidUnits'
  | 'amountConfirmedUnits'
  | 'paidAt'
> & {
  merchantName: Row<User, 'name'>['name'];
  /** EUR per coin, plain decimal text. */
  rate: string | null;
  walletUuid: Row<Wallet, 'uuid'>['uuid'] | null;
  /** Canonical address. */
  walletAddress: Row<Wallet, 'address'>['address'] | null;
  /** All that arrived on the wallet and is on the chain, in time or not. */
  walletReceivedUnits: bigint;
  /** The same on every network of the address' family: coins sent on the wrong one are there too. */
  addressReceivedUnits: bigint;
  confirmationsRequired: Row<ChainCursor, 'confirmations'>['confirmations'] | null;
  /** The fewest confirmations among the wallet's deposits on the chain; 0 when there are none. */
  confirmations: number;
};

/** Select list and joins of an InvoiceRow; the invoice is `i`. */
export const INVOICE_COLUMNS = `
  i.id, i.uuid, i.user_id AS "userId", i.api_key_id AS "apiKeyId", u.name AS "merchantName", i.description,
  i.external_code AS "externalCode", i.email, i.amount_eur_cents AS "amountEurCents", i.coin,
  i.amount_units AS "amountUnits", trim_scale(i.rate)::text AS rate, i.wallet_id AS "walletId", w.uuid AS "walletUuid",
  w.address AS "walletAddress", coalesce(d.units, 0) AS "walletReceivedUnits",
  coalesce(d.units, 0) + coalesce(elsewhere.units, 0) AS "addressReceivedUnits", i.chain_epoch AS "chainEpoch",
  greatest(c.confirmations, d.extra) AS "confirmationsRequired", coalesce(d.confirmations, 0)::int AS confirmations,
  i.expiry_minutes AS "expiryMinutes", i.expires_at AS "expiresAt", i.created_at AS "createdAt", i.status,
  i.payment_state AS "paymentState", i.amount_paid_units AS "amountPaidUnits",
  i.amount_confirmed_units AS "amountConfirmedUnits", i.paid_at AS "paidAt"`;

export const INVOICE_JOINS = `
  JOIN user_account u ON u.id = i.user_id
  LEFT JOIN wallet w ON w.id = i.wallet_id
  LEFT JOIN chain_cursor c ON c.chain = i.chain
  LEFT JOIN LATERAL (
    SELECT sum(amount_units) AS units, min(${confirmationsInSql('deposit', 'c')}) AS confirmations,
      max(extra_confirmations) AS extra
    FROM deposit WHERE wallet_id = i.wallet_id AND epoch = i.chain_epoch AND orphaned_at IS NULL
  ) d ON true
  LEFT JOIN LATERAL (
    SELECT sum(o.amount_units) AS units FROM deposit o JOIN chain_cursor p ON p.chain = o.chain AND p.epoch = o.epoch
    WHERE o.pool_address_id = w.pool_address_id AND o.coin <> w.coin AND o.wallet_id IS NULL AND o.orphaned_at IS NULL
  ) elsewhere ON true`;
