import { useSyncExternalStore } from 'react';
import { type LoginBody, LogoutView, type RegisterBody, SessionView, UserView } from '@/lib/api-schema/auth';
import { ApiError, apiFetch } from './api';
import { logFailure } from './log-failure';
import { queryClient } from './query-client';
import { deviceHeaders, keepDevice, onDeadToken, readToken, TOKEN_KEY, writeToken } from './session-token';

/** Longer than a page lives on after the browser has cut off its calls to leave it. */
const RETRY_MS = 1_000;
/** What a call fails with that is cut off before its answer, or in the middle of it. */
const CUT_OFF = ['network_error', 'invalid_response'];

export type Session =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: UserView };

/** State before the stored token has been checked; also what the server renders. */
const LOADING: Session = { status: 'loading', user: null };
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
function closeSession(): void {
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
 * Reads the user of the stored token; whatever goes wrong, the token is removed. A call that is cut off is
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

/** Who is signed in. The first screen that asks starts the check of the stored token; public pages never ask. */
export function useSession(): Session {
  return useSyncExternalStore(subscribeSession, readSession, () => LOADING);
}

/**
 * Signs in and stores the token.
 * @throws {ApiError} with the server's message, else 'Login fallito. Controlla le tue credenziali.'
 */
export async function signIn(body: LoginBody): Promise<void> {
  const { access_token, device_token, user } = await apiFetch('/auth/login', {
    method: 'POST',
    body,
    auth: 'none',
    headers: deviceHeaders(),
    schema: SessionView,
    fallback: 'Login fallito. Controlla le tue credenziali.',
  });
  keepDevice(device_token);
  openSession(access_token, user);
}

/**
 * Registers a merchant and stores the token.
 * @throws {ApiError} with the server's message, else 'Registrazione fallita. Riprova più tardi.'
 */
export async function signUp(body: RegisterBody): Promise<void> {
  const { token, device_token, user } = await apiFetch('/auth/register', {
    method: 'POST',
    body,
    auth: 'none',
    schema: SessionView,
    fallback: 'Registrazione fallita. Riprova più tardi.',
  });
  keepDevice(device_token);
  openSession(token, user);
}

/** Signs out here and on the server. User and token go at once, also when the call fails. */
export async function signOut(): Promise<void> {
  const call = apiFetch('/auth/logout', { method: 'POST', schema: LogoutView, fallback: 'Logout fallito' });
  closeSession();
  try {
    await call;
  } catch (error) {
    logFailure('logout', error);
  }
}
