import { LogoutView } from '@/lib/api-schema/auth';
import { apiFetch } from './api';
import { closeSession } from './session-store';

/** Signs out here and on the server. User and token go at once, also when the call fails. */
export async function signOut(): Promise<void> {
  const call = apiFetch('/auth/logout', { method: 'POST', schema: LogoutView, fallback: 'Logout fallito' });
  closeSession();
  try {
    await call;
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the spec asks that a failed logout is logged (section 8)
    console.warn('logout', error);
  }
}
