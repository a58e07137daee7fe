import { type RegisterBody, SessionView } from '@/lib/api-schema/auth';
import { apiFetch } from './api';
import { openSession } from './session-store';

/**
 * Registers a merchant and stores the token.
 * @throws {ApiError} with the server's message, else 'Registrazione fallita. Riprova più tardi.'
 */
export async function signUp(body: RegisterBody): Promise<void> {
  const { token, user } = await apiFetch('/auth/register', {
    method: 'POST',
    body,
    auth: 'none',
    schema: SessionView,
    fallback: 'Registrazione fallita. Riprova più tardi.',
  });
  openSession(token, user);
}
