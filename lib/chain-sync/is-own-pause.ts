import { PAUSE_REASONS } from '@/lib/deposits/types';

/** True when the watcher itself set this pause and may end it; false for an operator's pause and for none. */
export function isOwnPause(reason: string | null): boolean {
  return PAUSE_REASONS.some((own) => own === reason);
}
