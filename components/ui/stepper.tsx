import { Check } from 'lucide-react';
import { classNames } from './class-names';
import { Icon } from './icon';

interface StepperProps {
  steps: readonly string[];
  /** Index of the current step; the ones before it are done. */
  current: number;
}

/** Bars with words: done, current, next. */
export function Stepper({ steps, current }: StepperProps) {
  return (
    <ol aria-label="Passaggi" className="grid auto-cols-[minmax(max-content,1fr)] grid-flow-col gap-1.5 md:gap-2">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? 'step' : undefined}
          className={classNames(
            'flex items-center gap-1 rounded-t-[2px] border-t-3 pt-2 text-xs md:gap-1.5 md:text-sm',
            index <= current ? 'border-accent' : 'border-line-2',
            index === current
              ? 'font-semibold text-ink'
              : index < current
                ? 'font-medium text-ink-2'
                : 'font-medium text-ink-3',
          )}
        >
          {index < current && <Icon icon={Check} size={14} className="text-accent" />}
          {step}
          {index < current && <span className="sr-only"> (fatto)</span>}
        </li>
      ))}
    </ol>
  );
}
