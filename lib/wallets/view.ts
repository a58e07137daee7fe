import type { TransactionView, WalletView } from '@/lib/api-schema/wallets';
import { addressCodec } from '@/lib/chains/registry';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { centsToEuro, toShownAmount, unitsToEurCents } from '@/lib/shared/money';
import type { WalletRow, WalletTransfer } from './repository';

/** A wallet for its owner. `rate` is EUR per coin, or null while there is no price: then there is no EUR value either. */
export function toWalletView(row: WalletRow, rate: string | null): WalletView {
  return {
    id: row.id,
    uuid: row.uuid,
    cryptoType: row.coin,
    type: row.type,
    address: addressCodec(COIN_INFO[row.coin].family).display(row.address),
    tag: row.tag,
    balance: toShownAmount(row.confirmedUnits, row.coin, 'down'),
    balanceUnits: row.confirmedUnits.toString(),
    unconfirmedBalance: toShownAmount(row.unconfirmedUnits, row.coin, 'down'),
    pendingTransfer: toShownAmount(row.pendingTransferUnits, row.coin, 'down'),
    balanceEuro: rate === null ? null : centsToEuro(unitsToEurCents(row.confirmedUnits, row.coin, rate)),
    createdAt: row.createdAt.toISOString(),
  };
}

/** A transfer in both vocabularies of the API. */
export function toTransactionView(transfer: WalletTransfer, coin: Coin): TransactionView {
  const amount = toShownAmount(transfer.amountUnits, coin, 'down');
  return {
    id: String(transfer.id),
    hash: transfer.txHash,
    type: 'in',
    direction: 'in',
    amount,
    value: amount,
    confirmations: transfer.confirmations,
    timestamp: transfer.at.toISOString(),
    status: transfer.isOrphaned ? 'orphaned' : transfer.isConfirmed ? 'confirmed' : 'unconfirmed',
  };
}
