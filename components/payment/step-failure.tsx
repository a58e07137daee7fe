'use client';
import { Notice } from '@/components/ui/notice';
import { useHydrated } from '@/lib/client/use-hydrated';
import type { StepState } from './step-action';

/** A failed step inside the page, for browsers without scripts; the others show a notification. */
export function StepFailure({ failure }: Pick<StepState, 'failure'>) {
  const hydrated = useHydrated();
  if (hydrated || !failure) return null;
  return (
    <Notice tone="danger" role="alert">
      <strong className="font-semibold">{failure.title}</strong> {failure.message}
    </Notice>
  );
}
