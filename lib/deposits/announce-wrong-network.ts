import type { Sql } from '@/lib/db/database';
import { enqueueMail } from '@/lib/mail/enqueue-mail';
import { COIN_INFO, chainOf } from '@/lib/shared/coins';
import { shortUuid } from '@/lib/shared/format';
import { toShownAmount } from '@/lib/shared/money';
import { selectForeignDeposits } from './unattributed-repository';

/**
 * Tells merchants that money came to their addresses on another network than that of the wallet: it counts for nothing, and
 * can be recovered. Once per transfer, and not for dust.
 * @param depositIds deposits that belong to no wallet of their coin
 */
export async function announceWrongNetwork(sql: Sql, depositIds: readonly bigint[]): Promise<void> {
  for (const deposit of await selectForeignDeposits(sql, depositIds)) {
    const { coin, amountUnits, walletCoin, ownerEmail, invoiceUuid } = deposit;
    if (amountUnits < COIN_INFO[coin].dustUnits) continue;
    const amount = `${toShownAmount(amountUnits, coin, 'down')} ${coin}`;
    const place = invoiceUuid === null ? `del tuo wallet ${walletCoin}` : `della fattura ${shortUuid(invoiceUuid)}`;
    await enqueueMail(sql, {
      dedupeKey: `wrong_network:${deposit.chain}:${deposit.epoch}:${deposit.transferKey}`,
      recipient: ownerEmail,
      subject: `Pagamento sulla rete sbagliata: ${amount}`,
      text: [
        `All'indirizzo ${place} sono arrivati ${amount} sulla rete ${chainOf(coin).network} invece che sulla rete ${chainOf(walletCoin).network}.`,
        'Non contano come pagamento, ma non sono persi: chi gestisce questo server può attribuirteli.',
        '',
      ].join('\n'),
    });
  }
}
