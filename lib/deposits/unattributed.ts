import type { UnattributedView } from '@/lib/api-schema/unattributed';
import { addressCodec } from '@/lib/chains/registry';
import type { Database } from '@/lib/db/database';
import { chainOf } from '@/lib/shared/coins';
import { AppError } from '@/lib/shared/errors';
import { toShownAmount } from '@/lib/shared/money';
import {
  type AttachDeposit,
  callAttachDeposit,
  findTargetWallet,
  selectUnattributed,
  type UnattributedRow,
} from './unattributed-repository';

/** One page of the money that still needs an owner, newest first. */
export async function listUnattributed(
  db: Database,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ items: UnattributedView[]; total: number }> {
  const { rows, total } = await selectUnattributed(db.pool, { limit: pageSize, offset: (page - 1) * pageSize });
  return { items: rows.map(toView), total };
}

function toView(row: UnattributedRow): UnattributedView {
  const { display } = addressCodec(chainOf(row.coin).family);
  return {
    id: row.id.toString(),
    cryptoType: row.coin,
    amount: toShownAmount(row.amountUnits, row.coin, 'down'),
    amountUnits: row.amountUnits.toString(),
    hash: row.txHash,
    from: row.fromAddress === null ? null : display(row.fromAddress),
    address: display(row.toAddress),
    timestamp: row.at.toISOString(),
    ownerEmail: row.ownerEmail,
    invoiceUuid: row.invoiceUuid,
  };
}

export interface Attachment extends Omit<AttachDeposit, 'walletId'> {
  /** A wallet's number or uuid, or the uuid of an invoice. */
  target: string;
}

/**
 * Gives money that nobody expected to a wallet or an invoice: it is booked there, the invoice is queued to be decided
 * again, and the audit keeps who did it (`operator`) and why.
 * @throws AppError not_found for an unknown target; not_unattributed when the deposit has a wallet or another coin
 */
export async function attachDeposit(db: Database, { target, ...attachment }: Attachment): Promise<void> {
  const walletId = await findTargetWallet(db.pool, target);
  if (walletId === null) throw new AppError('not_found');
  if (!(await callAttachDeposit(db.pool, { ...attachment, walletId }))) throw new AppError('not_unattributed');
}
