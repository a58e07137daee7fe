'use client';
import { Check, Copy } from 'lucide-react';
import { useCopy } from '@/lib/client/clipboard';
import { classNames } from './class-names';
import { Icon } from './icon';

interface CopyButtonProps {
  /** What goes to the clipboard, raw. */
  value: string;
  /** The thing in the accessible name: "indirizzo" → "Copia indirizzo". */
  name: string;
  /** Shows the icon alone. */
  iconOnly?: boolean;
  className?: string;
}

/** Copies a value and says "Copiato" for two seconds. */
export function CopyButton({ value, name, iconOnly = false, className }: CopyButtonProps) {
  const { copied, copy } = useCopy();
  return (
    <>
      <button
        type="button"
        aria-label={copied ? `Copiato: ${name}` : `Copia ${name}`}
        title={iconOnly ? `Copia ${name}` : undefined}
        onClick={() => copy(value)}
        className={classNames(
          'inline-flex h-7 shrink-0 items-center justify-center gap-1.5 rounded-sm text-sm font-medium whitespace-nowrap transition-colors',
          iconOnly ? '-my-1 w-7' : '-mx-2 -my-1 px-2',
          copied
            ? 'text-success'
            : iconOnly
              ? 'text-ink-3 hover:bg-accent-soft hover:text-accent'
              : 'text-accent hover:bg-accent-soft',
          className,
        )}
      >
        <Icon icon={copied ? Check : Copy} size={iconOnly ? 16 : 14} />
        {!iconOnly && (copied ? 'Copiato' : 'Copia')}
      </button>
      <span role="status" className="sr-only">
        {copied ? `Copiato: ${name}` : ''}
      </span>
    </>
  );
}
