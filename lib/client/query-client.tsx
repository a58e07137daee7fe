'use client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from './api';

const STALE_MS = 5_000;
const MAX_RETRIES = 1;

/** A refusal (4xx) is final; a lost connection or a server fault is tried once more. */
function shouldRetry(failures: number, error: unknown): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !refused && failures < MAX_RETRIES;
}

/** The browser's one cache of server answers. It is emptied when the session changes. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: STALE_MS, retry: shouldRetry } },
});

/** Gives the screens below it the browser's query cache. Signed-in screens fetch in the browser only. */
export function QueryProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
