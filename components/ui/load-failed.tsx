import { RefreshCw, Unplug } from 'lucide-react';
import { Button } from './button';
import { EmptyState } from './empty-state';

interface LoadFailedProps {
  isBusy: boolean;
  onRetry: () => void;
}

/** In the place of what did not load. */
export function LoadFailed({ isBusy, onRetry }: LoadFailedProps) {
  return (
    <EmptyState
      icon={Unplug}
      title="Caricamento non riuscito"
      action={
        <Button icon={RefreshCw} busy={isBusy} onClick={onRetry}>
          Riprova
        </Button>
      }
    >
      Controlla la connessione e riprova.
    </EmptyState>
  );
}
