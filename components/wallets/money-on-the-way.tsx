import { CryptoAmount } from '@/components/ui/crypto-amount';
import type { WalletView } from '@/lib/api-schema/wallets';
import { parseUnits, SHOWN_DECIMALS } from '@/lib/shared/money';

/** What will be in the wallet but cannot be spent yet: seen and not confirmed, or still on the wallets of invoices. */
export function MoneyOnTheWay({ wallet }: { wallet: WalletView }) {
  return (
    <>
      <Line wallet={wallet} amount={wallet.unconfirmedBalance} before="In arrivo" after=", da confermare" />
      <Line wallet={wallet} amount={wallet.pendingTransfer} before="Incassati" after=", in attesa di trasferimento" />
    </>
  );
}

interface LineProps {
  wallet: WalletView;
  /** Decimal text with 8 decimals. */
  amount: string;
  before: string;
  after: string;
}

function Line({ wallet, amount, before, after }: LineProps) {
  if (!parseUnits(amount, SHOWN_DECIMALS)) return null;
  return (
    <p className="text-sm text-ink-2">
      {before} <CryptoAmount amount={amount} coin={wallet.cryptoType} className="font-medium text-ink" />
      {after}
    </p>
  );
}
