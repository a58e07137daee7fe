import type { Wallet } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Coin } from '@/lib/shared/coins';

/** A wallet with its money, in base units. Its address is in its canonical form. */
export interface WalletRow extends Row<Wallet, 'id' | 'uuid' | 'coin' | 'type' | 'address' | 'tag' | 'createdAt'> {
  confirmedUnits: bigint;
  unconfirmedUnits: bigint;
  /** Of a primary wallet: confirmed money on its owner's invoice wallets of the coin, not transferred to it yet. */
  pendingTransferUnits: bigint;
}

/** Confirmed money is what the ledger holds for the wallet; unconfirmed is what the chain shows and is not booked yet. */
const SELECT = `
  SELECT w.id, w.uuid, w.coin, w.type, w.address, w.tag, w.created_at AS "createdAt",
    coalesce(a.balance, 0) AS "confirmedUnits", coalesce(d.unbooked, 0) AS "unconfirmedUnits",
    coalesce(t.waiting, 0) AS "pendingTransferUnits"
  FROM wallet w
  LEFT JOIN ledger_account a ON a.wallet_id = w.id AND a.kind = 'wallet'
  LEFT JOIN LATERAL (
    SELECT sum(amount_units) AS unbooked FROM deposit JOIN chain_cursor c ON c.chain = deposit.chain AND c.epoch = deposit.epoch
    WHERE wallet_id = w.id AND orphaned_at IS NULL AND posted_at IS NULL
  ) d ON true
  LEFT JOIN LATERAL (
    SELECT sum(ia.balance) AS waiting FROM wallet iw JOIN ledger_account ia ON ia.wallet_id = iw.id AND ia.kind = 'wallet'
    WHERE w.type = 'primary' AND iw.user_id = w.user_id AND iw.coin = w.coin AND iw.type = 'invoice'
  ) t ON true`;

/** A merchant's primary wallets: at most one per coin. */
export const selectPrimaryWallets = statement<{ userId: number }, WalletRow>(
  'wallets.select-primary',
  `${SELECT} WHERE w.user_id = $userId AND w.type = 'primary' ORDER BY w.coin`,
);

/** A merchant's own wallet by number or by uuid. */
export const findOwnWallet = {
  id: statement<{ id: string; userId: number }, WalletRow>(
    'wallets.find-own-by-id',
    `${SELECT} WHERE w.id = $id AND w.user_id = $userId`,
  ),
  uuid: statement<{ id: string; userId: number }, WalletRow>(
    'wallets.find-own-by-uuid',
    `${SELECT} WHERE w.uuid = $id AND w.user_id = $userId`,
  ),
};

/** Takes a free address for a merchant's primary wallet. No row when no watched address is free. */
export const claimPrimaryWallet = statement<{ userId: number; coin: Coin }, Row<Wallet, 'id'>>(
  'wallets.claim-primary',
  'SELECT id FROM create_primary_wallet($userId, $coin::coin)',
);
