import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { Icon } from '@/components/ui/icon';

/** "Ricevuto" or "Inviato", with its arrow. */
export function Direction({ direction }: { direction: 'in' | 'out' }) {
  return direction === 'in' ? (
    <span className="inline-flex items-center gap-2 text-success">
      <Icon icon={ArrowDownLeft} size={14} />
      Ricevuto
    </span>
  ) : (
    <span className="inline-flex items-center gap-2 text-ink-2">
      <Icon icon={ArrowUpRight} size={14} />
      Inviato
    </span>
  );
}
