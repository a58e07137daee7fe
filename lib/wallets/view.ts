import type { WalletView } from '@/lib/api-schema/wallets';
import { addressCodec } from '@/lib/chains/registry';
import { chainOf } from '@/lib/shared/coins';
import { centsToEuro, toShownAmount, unitsToEurCents } from '@/lib/shared/money';
import type { WalletRow } from './repository';

/** A wallet for its owner. `rate` is EUR per coin, or null while there is no price: then there is no EUR value either. */
export function toWalletView(row: WalletRow, rate: string | null): WalletView {
  return {
    id: row.id,
    uuid: row.uuid,
    cryptoType: row.coin,
    type: row.type,
    address: addressCodec(chainOf(row.coin).family).display(row.address),
    tag: row.tag,
    balance: toShownAmount(row.confirmedUnits, row.coin, 'down'),
    balanceUnits: row.confirmedUnits.toString(),
    unconfirmedBalance: toShownAmount(row.unconfirmedUnits, row.coin, 'down'),
    pendingTransfer: toShownAmount(row.pendingTransferUnits, row.coin, 'down'),
    balanceEuro: rate === null ? null : centsToEuro(unitsToEurCents(row.confirmedUnits, row.coin, rate)),
    createdAt: row.createdAt.toISOString(),
  };
}
