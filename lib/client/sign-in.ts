import { type LoginBody, SessionView } from '@/lib/api-schema/auth';
import { apiFetch } from './api';
import { openSession } from './session-store';

/**
 * Signs in and stores the token.
 * @throws {ApiError} with the server's message, else 'Login fallito. Controlla le tue credenziali.'
 */
export async function signIn(body: LoginBody): Promise<void> {
  const { access_token, user } = await apiFetch('/auth/login', {
    method: 'POST',
    body,
    auth: 'none',
    schema: SessionView,
    fallback: 'Login fallito. Controlla le tue credenziali.',
  });
  openSession(access_token, user);
}
