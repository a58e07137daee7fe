'use client';
import { ArrowLeft, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button } from './button';
import { ModalFrame } from './modal-frame';

interface DialogProps {
  open: boolean;
  /** Called by the close button, Escape and a click outside; not while `busy`. */
  onClose: () => void;
  title: ReactNode;
  /** Shows a back arrow left of the title. */
  onBack?: (() => void) | undefined;
  /** Buttons: secondary, then primary. */
  footer?: ReactNode;
  /** Refuses to close while something runs. */
  busy?: boolean;
  /** "alertdialog" for a question that must be answered. */
  role?: 'dialog' | 'alertdialog';
  children: ReactNode;
}

/**
 * A modal dialog, a bottom sheet below 48rem. The element with `data-autofocus` gets the first focus, else the first
 * control; the focus goes back where it was.
 */
export function Dialog({ open, onClose, title, onBack, footer, busy = false, role, children }: DialogProps) {
  const titleId = useId();
  return (
    <ModalFrame
      open={open}
      onClose={busy ? undefined : onClose}
      role={role}
      labelledBy={titleId}
      className="w-full max-w-full rounded-t-xl border-t border-line bg-raised pb-[env(safe-area-inset-bottom)] text-ink shadow-float max-md:mt-auto max-md:mb-0 max-md:animate-sheet md:mx-auto md:mt-18 md:w-[min(29rem,calc(100vw-2rem))] md:animate-rise md:rounded-xl md:border"
    >
      <div className="flex items-center gap-3 border-b border-line px-5 py-4.5">
        {onBack && (
          <Button
            variant="ghost"
            size="sm"
            iconOnly
            icon={ArrowLeft}
            aria-label="Indietro"
            onClick={onBack}
            className="-my-1 -ml-2"
          />
        )}
        <h2 id={titleId} className="min-w-0 flex-1 text-lg font-semibold">
          {title}
        </h2>
        {role !== 'alertdialog' && (
          <Button
            variant="ghost"
            size="sm"
            iconOnly
            icon={X}
            aria-label="Chiudi"
            disabled={busy}
            onClick={onClose}
            className="-my-1 -mr-2"
          />
        )}
      </div>
      <div className="grid max-h-[calc(100dvh-14rem)] gap-4.5 overflow-y-auto p-5">{children}</div>
      {footer && <div className="flex justify-end gap-2 border-t border-line px-5 py-4 max-md:*:flex-1">{footer}</div>}
    </ModalFrame>
  );
}
