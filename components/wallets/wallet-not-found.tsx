'use client';
import { Wallet } from 'lucide-react';
import { useEffect } from 'react';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { toast } from '@/components/ui/toast';

const TITLE = 'Wallet non trovato';

/** In the place of a wallet that does not exist, or is somebody else's. */
export function WalletNotFound() {
  useEffect(() => {
    toast.error(TITLE);
  }, []);
  return (
    <EmptyState
      icon={Wallet}
      level={1}
      title={TITLE}
      className="py-24"
      action={
        <ButtonLink href="/wallets" variant="primary">
          Torna ai wallet
        </ButtonLink>
      }
    >
      Il wallet richiesto non esiste o non hai i permessi per visualizzarlo.
    </EmptyState>
  );
}
