import { randomBytes } from 'node:crypto';

/** A webhook signing secret in the form of Standard Webhooks 1.0: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
