'use client';
import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button } from './button';
import { ModalFrame } from './modal-frame';
import { Notice } from './notice';

interface DialogProps {
  open: boolean;
  /** Called by the close button, Escape and a click outside; not while `busy`. */
  onClose: () => void;
  title: ReactNode;
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
export function Dialog({ open, onClose, title, footer, busy = false, role, children }: DialogProps) {
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

interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** The question, with names in «». */
  title: ReactNode;
  /** What happens next. */
  text: ReactNode;
  /** The deed: "Disattiva". */
  confirmLabel: string;
  /** `danger` gives the safe choice the first focus. */
  tone?: 'danger' | 'primary';
  busy?: boolean;
  error?: string | undefined;
  /** Fields below the text. */
  children?: ReactNode;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, onConfirm, title, text, confirmLabel, tone = 'danger', busy = false, error, children } = props;
  const footer = (
    <>
      <Button onClick={onClose} disabled={busy} data-autofocus={tone === 'danger' || undefined}>
        Annulla
      </Button>
      <Button variant={tone} busy={busy} onClick={onConfirm} data-autofocus={tone === 'primary' || undefined}>
        {confirmLabel}
      </Button>
    </>
  );
  return (
    <Dialog open={open} onClose={onClose} title={title} footer={footer} busy={busy} role="alertdialog">
      <p className="text-pretty text-ink-2">{text}</p>
      {children}
      {error && (
        <Notice tone="danger" role="alert">
          {error}
        </Notice>
      )}
    </Dialog>
  );
}
