import { UserView } from '@/lib/api-schema/auth';
import { apiFetch } from './api';
import { ApiError } from './api-error';
import { onDeadToken } from './dead-token';
import { queryClient } from './query-client';
import { readToken, TOKEN_KEY, writeToken } from './token-store';

/** Longer than a page lives on after the browser has cut off its calls to leave it. */
const RETRY_MS = 1_000;
/** What a call fails with that is cut off before its answer, or in the middle of it. */
const CUT_OFF = ['network_error', 'invalid_response'];

export type Session =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: UserView };

/** State before the stored token has been checked; also what the server renders. */
export const LOADING: Session = { status: 'loading', user: null };
const SIGNED_OUT: Session = { status: 'signed-out', user: null };

let session: Session = LOADING;
let started = false;
const listeners = new Set<() => void>();

/** The session as it is now. */
export function readSession(): Session {
  return session;
}

/** Calls `listener` on each change; the first subscriber starts the check of the stored token. */
export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  start();
  return () => listeners.delete(listener);
}

/** Stores the token and the user of a login or registration. */
export function openSession(token: string, user: UserView): void {
  queryClient.clear();
  writeToken(token);
  change({ status: 'signed-in', user });
}

/** Forgets token, user and everything that was fetched for them. */
export function closeSession(): void {
  writeToken(null);
  queryClient.clear();
  change(SIGNED_OUT);
}

function change(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

function start(): void {
  if (started) return;
  started = true;
  // An answer to an older token must not end a newer session.
  onDeadToken((token) => {
    if (token === readToken()) closeSession();
  });
  window.addEventListener('storage', (event) => {
    if (event.key === TOKEN_KEY || event.key === null) void restore();
  });
  void restore();
}

/**
 * Reads the user of the stored token; whatever goes wrong, the token is removed (spec section 8). A call that is cut off is
 * made once more: leaving the page, by reload or by a link, does that too, and a page that is gone makes no second one.
 */
async function restore(isRetry = false): Promise<void> {
  const token = readToken();
  if (token === null) return closeSession();
  try {
    const user = await apiFetch('/auth/me', { schema: UserView, fallback: 'Accesso richiesto.' });
    if (readToken() !== token) return;
    if (session.user?.id !== user.id) queryClient.clear();
    change({ status: 'signed-in', user });
  } catch (error) {
    const isCutOff = error instanceof ApiError && CUT_OFF.includes(error.code);
    if (isCutOff && !isRetry) setTimeout(() => void restore(true), RETRY_MS);
    else if (readToken() === token) closeSession();
  }
}
