import type { ReactNode } from 'react';
import { classNames } from '@/components/ui/class-names';

interface SecretBoxProps {
  label: string;
  badge?: ReactNode;
  /** Warns that this is the only time it is shown. */
  once?: boolean;
  text: string;
  hint?: string;
  /** Small buttons at the end. */
  children: ReactNode;
}

/** A key or secret, with what can be done with it. */
export function SecretBox({ label, badge, once = false, text, hint, children }: SecretBoxProps) {
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="text-sm font-medium">{label}</span>
        {badge}
      </div>
      <div
        className={classNames(
          'flex min-h-9 items-center gap-1 rounded-md py-1 pr-2 pl-3 text-sm',
          once ? 'bg-warning-soft' : 'bg-sunken',
        )}
      >
        <span translate="no" className="min-w-0 flex-1 font-mono break-all">
          {text}
        </span>
        {children}
      </div>
      {hint && <p className="text-xs text-ink-2">{hint}</p>}
    </div>
  );
}
