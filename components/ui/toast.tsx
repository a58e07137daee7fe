'use client';
import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Toaster as SonnerToaster, toast as sonner } from 'sonner';
import { errorMessage } from '@/lib/client/api';
import { TOAST_MS } from '@/lib/shared/limits';
import { classNames } from './class-names';
import { Icon } from './icon';

type ToastType = 'success' | 'error' | 'warning' | 'info';

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

const LOOK: Record<ToastType, { icon: LucideIcon; ink: string }> = {
  success: { icon: CircleCheck, ink: 'text-success' },
  error: { icon: CircleAlert, ink: 'text-danger' },
  warning: { icon: TriangleAlert, ink: 'text-warning' },
  info: { icon: Info, ink: 'text-info' },
};

interface ToastCardProps {
  type: ToastType;
  title: string;
  description?: string | undefined;
  onClose: () => void;
}

/** One notification: icon, text, close. Errors interrupt a screen reader, the others wait. */
function ToastCard({ type, title, description, onClose }: ToastCardProps) {
  const look = LOOK[type];
  return (
    <div
      role={type === 'error' ? 'alert' : 'status'}
      className="flex w-full items-start gap-2.5 rounded-lg border border-line bg-raised py-3 pr-3 pl-3.5 font-sans text-base text-ink shadow-float md:w-88"
    >
      <Icon icon={look.icon} size={18} className={classNames('mt-px', look.ink)} />
      <div className="min-w-0 flex-1">
        <p className="text-pretty">{title}</p>
        {description && <p className="text-sm text-pretty text-ink-2">{description}</p>}
      </div>
      <button
        type="button"
        aria-label="Chiudi notifica"
        onClick={onClose}
        className="-m-1 grid size-7 place-items-center rounded-sm text-ink-3 transition-colors hover:text-ink"
      >
        <Icon icon={X} size={14} />
      </button>
    </div>
  );
}

/** Where notifications appear: bottom right, full width at the bottom below 48rem. Mounted once per page. */
export function Toaster() {
  return (
    <SonnerToaster
      position="bottom-right"
      offset={24}
      mobileOffset={12}
      gap={8}
      visibleToasts={4}
      expand
      containerAriaLabel="Notifiche"
      toastOptions={{ unstyled: true, className: 'w-full md:w-88' }}
    />
  );
}

/** Shows a failure: the screen's text, under it the server's message or the call's default text. */
export function toastFailure(error: unknown, title: string): void {
  const reason = errorMessage(error, title);
  toast.error(title, { description: reason === title ? undefined : reason });
}

/**
 * Shows a notification when a load starts to fail: the screen's text, under it the server's. Later failures of the same
 * load stay silent until it has worked again, so that a screen that refreshes itself does not repeat them.
 */
export function useFailureToast(error: unknown, title: string): void {
  const latest = useRef(error);
  useEffect(() => {
    latest.current = error;
  });
  const failed = Boolean(error);
  useEffect(() => {
    if (failed) toastFailure(latest.current, title);
  }, [failed, title]);
}
