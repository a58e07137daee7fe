import { useSyncExternalStore } from 'react';
import { LOADING, readSession, type Session, subscribeSession } from './session-store';

/** Who is signed in. The first screen that asks starts the check of the stored token; public pages never ask. */
export function useSession(): Session {
  return useSyncExternalStore(subscribeSession, readSession, () => LOADING);
}
