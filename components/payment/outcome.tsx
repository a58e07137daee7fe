import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { TransactionHash } from '@/components/wallets/transaction-hash';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { StepTitle } from './step';

const TONE = {
  success: 'bg-success-soft text-success',
  info: 'bg-info-soft text-info',
  warning: 'bg-warning-soft text-warning',
  over: 'bg-sunken text-ink-2',
};

interface OutcomeProps {
  icon: LucideIcon;
  tone: keyof typeof TONE;
  title: string;
  children: ReactNode;
}

/** Banner in the place of the payment: how things stand, and what happens next. */
export function Outcome({ icon, tone, title, children }: OutcomeProps) {
  return (
    <div role="status" className="grid animate-fade justify-items-start gap-3">
      <span className={classNames('grid size-12 place-items-center rounded-full', TONE[tone])}>
        <Icon icon={icon} size={24} />
      </span>
      <StepTitle>{title}</StepTitle>
      <p className="text-ink-2">{children}</p>
    </div>
  );
}

/** One line per transaction that brought money, for the list below an outcome. */
export function paymentLines({ payments, cryptoType: coin }: PublicInvoiceView) {
  if (!coin) return [];
  const kept = payments.filter(({ status }) => status !== 'orphaned');
  return kept.map(({ hash }, index) => ({
    term: kept.length === 1 ? 'Transazione' : `Transazione ${index + 1}`,
    value: <TransactionHash coin={coin} hash={hash} />,
  }));
}

/** Says where the receipt will go. */
export function ReceiptNote({ email }: { email: string | null }) {
  if (email === null) return null;
  return (
    <p className="mt-4 text-sm text-ink-2">
      Invieremo la ricevuta a <span className="font-medium text-ink">{email}</span>
    </p>
  );
}
