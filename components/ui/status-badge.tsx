import { CircleCheck, CircleQuestionMark, Clock, Contrast, type LucideIcon, Stamp, TimerOff } from 'lucide-react';
import { type InvoiceStatus, isPartlyPaid, type PaymentState } from '@/lib/shared/invoice-status';
import { MESSAGES } from '@/lib/shared/messages';
import { Badge, type BadgeTone } from './badge';

interface Look {
  label: string;
  icon: LucideIcon;
  tone: BadgeTone;
}

const { invoiceStatus } = MESSAGES;

const LOOKS: Record<InvoiceStatus, Look> = {
  pending: { label: invoiceStatus.pending, icon: Clock, tone: 'info' },
  paid: { label: invoiceStatus.paid, icon: CircleCheck, tone: 'success' },
  forcePaid: { label: invoiceStatus.forcePaid, icon: Stamp, tone: 'success-outline' },
  expired: { label: invoiceStatus.expired, icon: TimerOff, tone: 'over' },
};
const PARTIAL: Look = { label: 'Parziale', icon: Contrast, tone: 'warning' };
const UNKNOWN: Look = { label: invoiceStatus.unknown, icon: CircleQuestionMark, tone: 'outline' };

interface StatusBadgeProps {
  /** Stored status of the invoice; a value that we do not know reads "Sconosciuto". */
  status: InvoiceStatus;
  /** With `partial`, a pending invoice reads "Parziale". */
  paymentState?: PaymentState;
  size?: 'md' | 'lg';
}

/** Status of an invoice. */
export function StatusBadge({ status, paymentState, size }: StatusBadgeProps) {
  const known: Look | undefined = LOOKS[status];
  const isPartial = paymentState !== undefined && isPartlyPaid({ status, paymentState });
  const look = isPartial ? PARTIAL : (known ?? UNKNOWN);
  return (
    <Badge tone={look.tone} icon={look.icon} size={size}>
      {look.label}
    </Badge>
  );
}
