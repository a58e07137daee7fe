'use client';
import { Smartphone } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import { copyText } from '@/lib/client/clipboard';
import { logFailure } from '@/lib/client/log-failure';
import { formatCrypto } from '@/lib/shared/format';
import { openTrustWallet, type TrustWalletPayment, trustWalletWay, universalLink } from './trust-wallet';

interface TrustWalletButtonProps {
  /** Null when something is missing: a press is then only logged. */
  payment: TrustWalletPayment | null;
}

/** "Paga con TrustWallet": opens the app on a phone, tells the framing shop, or explains what to do on a desktop. */
export function TrustWalletButton({ payment }: TrustWalletButtonProps) {
  const [help, setHelp] = useState<'copied' | 'by-hand' | null>(null);

  async function pay(event: MouseEvent) {
    event.preventDefault();
    if (!payment) return logFailure('TrustWallet: dati di pagamento mancanti');
    const way = trustWalletWay({
      isFramed: window.parent !== window,
      userAgent: navigator.userAgent,
      maxTouchPoints: navigator.maxTouchPoints,
    });
    if (way !== 'desktop') return openTrustWallet(way, payment);
    setHelp((await copyText(payment.address)) ? 'copied' : 'by-hand');
  }

  return (
    <div className="grid gap-3">
      <a
        href={payment ? universalLink(payment) : undefined}
        onClick={pay}
        className={buttonClass({ variant: 'primary', size: 'lg', block: true })}
      >
        <Icon icon={Smartphone} size={18} />
        Paga con TrustWallet
      </a>
      {help && payment && (
        <Notice tone={help === 'copied' ? 'success' : 'info'} role="alert">
          {help === 'copied' ? 'Indirizzo copiato.' : 'Copia l’indirizzo qui sopra.'} Apri TrustWallet, scegli Invia,
          poi {payment.coin}: incolla l’indirizzo e indica {formatCrypto(payment.amount)} {payment.coin}.
        </Notice>
      )}
    </div>
  );
}
