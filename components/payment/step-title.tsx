import type { ReactNode } from 'react';
import { classNames } from '@/components/ui/class-names';

interface StepTitleProps {
  /** For screen readers only, where the amount says the rest. */
  hidden?: boolean;
  children: ReactNode;
}

/** The page's one `h1`; it takes the focus when the step changes under the customer's hands. */
export function StepTitle({ hidden = false, children }: StepTitleProps) {
  return (
    <h1 tabIndex={-1} className={classNames('outline-none', hidden ? 'sr-only' : 'text-xl font-semibold')}>
      {children}
    </h1>
  );
}
