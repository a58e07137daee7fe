'use client';
import { type ReactNode, useEffect } from 'react';
import { classNames } from '@/components/ui/class-names';
import { Notice } from '@/components/ui/notice';
import { toast } from '@/components/ui/toast';
import { useHydrated } from '@/lib/client/use-hydrated';

/** What a form of the public page got back. */
export interface StepState {
  /** Text under the field: what was typed is wrong. */
  fieldError: string | null;
  /** The step failed: the screen's text, and the server's own below it. */
  failure: { title: string; message: string } | null;
  /** What was typed, so that the form can show it again. */
  value: string;
}

export const EMPTY_STEP: StepState = { fieldError: null, failure: null, value: '' };

/** A form post that also works without scripts; on success it redirects to the page itself. */
export type StepAction = (previous: StepState, form: FormData) => Promise<StepState>;

interface StepTitleProps {
  /** For screen readers only, where the amount says the rest. */
  hidden?: boolean;
  children: ReactNode;
}

/** The page's one `h1`; it takes the focus when the step changes under the customer's hands. */
export function StepTitle({ hidden = false, children }: StepTitleProps) {
  return (
    <h1 tabIndex={-1} className={classNames('outline-none', hidden ? 'sr-only' : 'text-xl font-semibold')}>
      {children}
    </h1>
  );
}

/** Says that a step failed: as a notification, and inside the page for browsers without scripts. */
export function StepFailure({ failure }: Pick<StepState, 'failure'>) {
  const hydrated = useHydrated();
  useEffect(() => {
    if (failure) toast.error(failure.title, { description: failure.message });
  }, [failure]);
  if (hydrated || !failure) return null;
  return (
    <Notice tone="danger" role="alert">
      <strong className="font-semibold">{failure.title}</strong> {failure.message}
    </Notice>
  );
}
