import type { UnattributedView } from '@/lib/api-schema/unattributed';
import { addressCodec } from '@/lib/chains/registry';
import type { Database } from '@/lib/db/database';
import { COIN_INFO } from '@/lib/shared/coins';
import { toShownAmount } from '@/lib/shared/money';
import { selectUnattributed, type UnattributedRow } from './unattributed-repository';

/** One page of the money that still needs an owner, newest first. */
export async function listUnattributed(
  db: Database,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ items: UnattributedView[]; total: number }> {
  const { rows, total } = await selectUnattributed(db.pool, { limit: pageSize, offset: (page - 1) * pageSize });
  return { items: rows.map(toView), total };
}

function toView(row: UnattributedRow): UnattributedView {
  const { family } = COIN_INFO[row.coin];
  return {
    id: String(row.id),
    cryptoType: row.coin,
    amount: toShownAmount(row.amountUnits, row.coin, 'down'),
    amountUnits: row.amountUnits.toString(),
    hash: row.txHash,
    from: row.fromAddress === null ? null : addressCodec(family).display(row.fromAddress),
    address: addressCodec(family).display(row.toAddress),
    timestamp: row.at.toISOString(),
    ownerEmail: row.ownerEmail,
    invoiceUuid: row.invoiceUuid,
  };
}
