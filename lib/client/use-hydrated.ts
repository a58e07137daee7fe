import { useSyncExternalStore } from 'react';

const neverChanges = () => () => {};

/** False in the server's HTML, and for good in a browser without scripts; true once the page runs. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
