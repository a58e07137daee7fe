'use client';
import { toast as sonner } from 'sonner';
import { TOAST_MS } from '@/lib/shared/limits';
import { ToastCard, type ToastType } from './toast-card';

interface ToastOptions {
  /** Second line: for a failure, the server's message. */
  description?: string | undefined;
  /** Milliseconds until it goes away; 0 stays until closed. */
  duration?: number;
}

function show(type: ToastType, title: string, { description, duration = TOAST_MS }: ToastOptions = {}): string {
  const close = (id: string | number) => sonner.dismiss(id);
  const shown = sonner.custom(
    (id) => <ToastCard type={type} title={title} description={description} onClose={() => close(id)} />,
    { duration: duration === 0 ? Number.POSITIVE_INFINITY : duration },
  );
  return String(shown);
}

/** Notifications at the bottom right. The same text shown twice in a row is two notifications. */
export const toast = {
  success: (title: string, options?: ToastOptions) => show('success', title, options),
  error: (title: string, options?: ToastOptions) => show('error', title, options),
  warning: (title: string, options?: ToastOptions) => show('warning', title, options),
  info: (title: string, options?: ToastOptions) => show('info', title, options),
};
