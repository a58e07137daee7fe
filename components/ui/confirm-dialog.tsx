'use client';
import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { Notice } from './notice';

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
      <Button onClick={onClose} aria-disabled={busy} data-autofocus={tone === 'danger' || undefined}>
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
