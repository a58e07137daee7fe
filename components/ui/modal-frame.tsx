'use client';
import { type KeyboardEvent, type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react';
import { classNames } from './class-names';

interface ModalFrameProps {
  open: boolean;
  /** Escape, a back gesture or a click on the scrim; undefined keeps the frame open, whatever the browser wants. */
  onClose: (() => void) | undefined;
  role?: 'dialog' | 'alertdialog' | undefined;
  labelledBy?: string;
  label?: string;
  className: string;
  children: ReactNode;
}

/**
 * The browser's own modal element: the page behind is inert and locked (base.css), the focus stays inside and returns
 * to where it was. Shape and place come from `className`.
 */
export function ModalFrame({ open, onClose, role, labelledBy, label, className, children }: ModalFrameProps) {
  const ref = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const frame = ref.current;
    if (!open || !frame) return;
    // A page that scrolls keeps the room of its scrollbar, so that nothing moves when the lock takes it away.
    const page = document.documentElement;
    page.classList.toggle('keep-gutter', page.scrollHeight > page.clientHeight);
    const opener = document.activeElement;
    frame.showModal();
    frame.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      frame.close();
      // React has taken the element away by now, so the browser no longer gives the focus back by itself.
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [open]);

  if (!open) return null;

  const onCancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) onCancel(event);
  };
  // A browser lets a page refuse to close once; the next Escape or back gesture it carries out without asking.
  const onClosed = () => {
    if (ref.current?.open) return;
    if (onClose) onClose();
    else ref.current?.showModal();
  };
  const onMouseDown = (event: MouseEvent) => {
    if (event.target === ref.current) onClose?.();
  };
  return (
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={labelledBy}
      aria-label={label}
      onCancel={onCancel}
      onClose={onClosed}
      onKeyDown={onKeyDown}
      onMouseDown={onMouseDown}
      className={classNames('m-0 max-h-none backdrop:animate-fade backdrop:bg-scrim', className)}
    >
      {children}
    </dialog>
  );
}
