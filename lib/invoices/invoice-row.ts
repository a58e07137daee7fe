import type { InvoiceStatus, PaymentState } from '@/lib/api-schema/invoices';
import type { Coin } from '@/lib/shared/coins';

/** An invoice with its wallet and its coin's cursor, as one query reads them. Amounts are base units. */
export interface InvoiceRow {
  id: number;
  uuid: string;
  userId: number;
  apiKeyId: number | null;
  merchantName: string;
  description: string | null;
  externalCode: string | null;
  email: string | null;
  amountEurCents: number;
  coin: Coin | null;
  amountUnits: bigint | null;
  /** EUR per coin, plain decimal text. */
  rate: string | null;
  walletId: number | null;
  walletUuid: string | null;
  /** Canonical address. */
  walletAddress: string | null;
  /** All that arrived on the wallet and is on the chain, in time or not. */
  walletReceivedUnits: bigint;
  /** The same on every network of the address' family: coins sent on the wrong one are there too. */
  addressReceivedUnits: bigint;
  chainEpoch: number | null;
  confirmationsRequired: number | null;
  /** The fewest confirmations among the wallet's deposits on the chain; 0 when there are none. */
  confirmations: number;
  expiryMinutes: number;
  expiresAt: Date;
  createdAt: Date;
  status: InvoiceStatus;
  paymentState: PaymentState;
  amountPaidUnits: bigint;
  amountConfirmedUnits: bigint;
  paidAt: Date | null;
}

/** The same row as node-postgres returns it: int8 and numeric as texts. */
export type RawInvoiceRow = Omit<
  InvoiceRow,
  'amountUnits' | 'walletReceivedUnits' | 'addressReceivedUnits' | 'amountPaidUnits' | 'amountConfirmedUnits'
> & {
  amountUnits: string | null;
  walletReceivedUnits: string;
  addressReceivedUnits: string;
  amountPaidUnits: string;
  amountConfirmedUnits: string;
};

/** Turns texts into bigints. */
export function toInvoiceRow(raw: RawInvoiceRow): InvoiceRow {
  return {
    ...raw,
    amountUnits: raw.amountUnits === null ? null : BigInt(raw.amountUnits),
    walletReceivedUnits: BigInt(raw.walletReceivedUnits),
    addressReceivedUnits: BigInt(raw.addressReceivedUnits),
    amountPaidUnits: BigInt(raw.amountPaidUnits),
    amountConfirmedUnits: BigInt(raw.amountConfirmedUnits),
  };
}

/** Select list and joins of an InvoiceRow; the invoice is `i`. */
export const INVOICE_COLUMNS = `
  i.id, i.uuid, i.user_id AS "userId", i.api_key_id AS "apiKeyId", u.name AS "merchantName", i.description,
  i.external_code AS "externalCode", i.email, i.amount_eur_cents AS "amountEurCents", i.coin,
  i.amount_units AS "amountUnits", trim_scale(i.rate)::text AS rate, i.wallet_id AS "walletId", w.uuid AS "walletUuid",
  w.address AS "walletAddress", coalesce(d.units, 0) AS "walletReceivedUnits", coalesce(d.units, 0) + coalesce(elsewhere.units, 0) AS "addressReceivedUnits", i.chain_epoch AS "chainEpoch",
  c.confirmations AS "confirmationsRequired", coalesce(d.confirmations, 0)::int AS confirmations,
  i.expiry_minutes AS "expiryMinutes", i.expires_at AS "expiresAt", i.created_at AS "createdAt", i.status,
  i.payment_state AS "paymentState", i.amount_paid_units AS "amountPaidUnits",
  i.amount_confirmed_units AS "amountConfirmedUnits", i.paid_at AS "paidAt"`;

export const INVOICE_JOINS = `
  JOIN user_account u ON u.id = i.user_id
  LEFT JOIN wallet w ON w.id = i.wallet_id
  LEFT JOIN chain_cursor c ON c.coin = i.coin
  LEFT JOIN LATERAL (
    SELECT sum(amount_units) AS units, min(greatest(coalesce(c.height - block_height + 1, 0), 0)) AS confirmations
    FROM deposit WHERE wallet_id = i.wallet_id AND epoch = i.chain_epoch AND orphaned_at IS NULL
  ) d ON true
  LEFT JOIN LATERAL (
    SELECT sum(amount_units) AS units FROM deposit
    WHERE pool_address_id = w.pool_address_id AND coin <> w.coin AND orphaned_at IS NULL
  ) elsewhere ON true`;
