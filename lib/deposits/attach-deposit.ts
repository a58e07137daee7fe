import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import { callAttachDeposit, findTargetWallet } from './unattributed-repository';

export interface Attachment {
  depositId: string;
  /** A wallet's number or uuid, or the uuid of an invoice. */
  target: string;
  /** Who does it, for the audit. */
  operator: string;
  note: string | null;
}

/**
 * Gives money that nobody expected to a wallet or an invoice: it is booked there, the invoice is queued to be decided
 * again, and the audit keeps who did it and why.
 * @throws AppError not_found for an unknown target; not_unattributed when the deposit has a wallet or another coin
 */
export async function attachDeposit(db: Database, attachment: Attachment): Promise<void> {
  const walletId = await findTargetWallet(db.pool, attachment.target);
  if (walletId === null) throw new AppError('not_found');
  if (!(await callAttachDeposit(db.pool, { ...attachment, walletId }))) throw new AppError('not_unattributed');
}
