import { useEffect } from 'react';
import { toast } from '@/components/ui/toast';
import type { StepState } from './step-action';

/** Shows a failed step as a notification. */
export function useStepFailure({ failure }: StepState): void {
  useEffect(() => {
    if (failure) toast.error(failure.title, { description: failure.message });
  }, [failure]);
}
