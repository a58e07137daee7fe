import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { StepTitle } from './step-title';

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
