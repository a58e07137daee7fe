/** Local storage key of the bearer token. */
export const TOKEN_KEY = 'token';

/** The stored bearer token, or null. Storage can be refused by the browser: then nobody is signed in. */
export function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}

/** Stores the token, or removes it when null. */
export function writeToken(token: string | null): void {
  try {
    if (token === null) localStorage.removeItem(TOKEN_KEY);
    else localStorage.setItem(TOKEN_KEY, token);
  } catch {
    // Without storage the session lives as long as the page.
  }
}

/** Local storage key of what this browser keeps when the session ends: it was signed in to here before. */
const DEVICE_KEY = 'device';

/** Headers by which this browser shows at a login that somebody signed in with it before. */
export function deviceHeaders(): Record<string, string> {
  try {
    const device = localStorage.getItem(DEVICE_KEY);
    return device === null ? {} : { 'X-Device-Token': device };
  } catch {
    return {};
  }
}

/** Keeps the device token of a login or registration; it stays when the session ends. */
export function keepDevice(deviceToken: string): void {
  try {
    localStorage.setItem(DEVICE_KEY, deviceToken);
  } catch {
    // Without storage each login is a stranger's.
  }
}

type Listener = (token: string) => void;

const listeners = new Set<Listener>();

/** Tells the session that the server refused `token`. */
export function reportDeadToken(token: string): void {
  for (const listener of listeners) listener(token);
}

/** Runs `listener` with each token that the server refuses. */
export function onDeadToken(listener: Listener): void {
  listeners.add(listener);
}
