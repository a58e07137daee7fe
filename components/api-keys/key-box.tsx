'use client';
import { Check, Copy, Eye, EyeOff, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { pressProps } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { Spinner } from '@/components/ui/spinner';
import type { ApiKeyView } from '@/lib/api-schema/api-keys';
import { useCopy } from '@/lib/client/clipboard';
import { useRevealKey } from './api-key-calls';

interface KeyBoxProps {
  apiKey: ApiKeyView;
  /** The whole key right after its creation. */
  known: string | null;
}

/** The key, masked until asked for; the copy is always the whole key. */
export function KeyBox({ apiKey, known }: KeyBoxProps) {
  const { key, isBusy, reveal } = useRevealKey(apiKey.id, known);
  const [isShown, setIsShown] = useState(false);
  const { copied, copy } = useCopy();

  async function toggle() {
    if (isShown || (await reveal()) !== null) setIsShown(!isShown);
  }
  async function copyWhole() {
    const whole = await reveal();
    if (whole !== null) copy(whole);
  }
  return (
    <SecretBox label="Chiave" text={isShown && key !== null ? key : apiKey.key}>
      <IconButton
        icon={isShown ? EyeOff : Eye}
        label={isShown ? 'Nascondi la chiave' : 'Mostra la chiave'}
        isPressed={isShown}
        isBusy={isBusy}
        onClick={toggle}
      />
      <IconButton
        icon={copied ? Check : Copy}
        label={copied ? 'Copiato: chiave' : 'Copia chiave'}
        isDone={copied}
        onClick={copyWhole}
      />
      <span role="status" className="sr-only">
        {copied ? 'Copiato' : ''}
      </span>
    </SecretBox>
  );
}

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

interface IconButtonProps {
  icon: LucideIcon;
  label: string;
  isPressed?: boolean;
  isDone?: boolean;
  isBusy?: boolean;
  onClick: () => void;
}

/** A small button inside a secret's box. */
function IconButton({ icon, label, isPressed, isDone = false, isBusy = false, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      {...pressProps({ busy: isBusy, onClick })}
      className={classNames(
        '-my-1 grid size-7 shrink-0 place-items-center rounded-sm transition-colors max-md:size-9',
        isDone ? 'text-success' : 'text-ink-3 hover:bg-accent-soft hover:text-accent',
      )}
    >
      {isBusy ? <Spinner size={14} /> : <Icon icon={icon} />}
    </button>
  );
}
