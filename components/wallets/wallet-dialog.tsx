'use client';
import { Address } from '@/components/ui/address';
import { ButtonLink } from '@/components/ui/button-link';
import { CoinToken } from '@/components/ui/coin-token';
import { CopyButton } from '@/components/ui/copy-button';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { Dialog } from '@/components/ui/dialog';
import { EurAmount } from '@/components/ui/eur-amount';
import { QrCard } from '@/components/ui/qr-card';
import type { WalletView } from '@/lib/api-schema/wallets';
import { COIN_INFO, chainOf } from '@/lib/shared/coins';

interface WalletDialogProps {
  /** The wallet to show; null keeps the dialog closed. */
  wallet: WalletView | null;
  onClose: () => void;
}

/** A wallet's balance and the address that receives its money. */
export function WalletDialog({ wallet, onClose }: WalletDialogProps) {
  if (!wallet) return null;
  const { name } = COIN_INFO[wallet.cryptoType];
  const { network } = chainOf(wallet.cryptoType);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Wallet ${name}`}
      footer={<ButtonLink href={`/wallets/${wallet.uuid}`}>Apri il wallet</ButtonLink>}
    >
      <div className="flex items-center gap-3">
        <CoinToken coin={wallet.cryptoType} size="lg" />
        <div className="min-w-0 flex-1">
          <CryptoAmount amount={wallet.balance} coin={wallet.cryptoType} size="xl" />
          <span className="text-ink-2">
            <EurAmount value={wallet.balanceEuro} />
          </span>
        </div>
      </div>
      <div className="grid justify-items-center">
        <QrCard value={wallet.address} level="H" label="Codice QR dell’indirizzo" coin={wallet.cryptoType} />
      </div>
      <div className="grid gap-1.5">
        <div className="flex items-center justify-between gap-3">
          <span className="text-sm text-ink-2">Indirizzo, rete {network}</span>
          <CopyButton value={wallet.address} name="indirizzo" />
        </div>
        <Address address={wallet.address} coin={wallet.cryptoType} size="md" />
      </div>
    </Dialog>
  );
}
