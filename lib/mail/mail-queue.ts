import { leasedQueue } from '@/lib/db/leased-queue';

/** Longer than the longest attempt to send. */
const LEASE_SECONDS = 30;

/** The mails to send as a queue, the oldest due first. */
export const mailQueue = leasedQueue({
  table: 'outgoing_mail',
  doneColumn: 'sent_at',
  leaseSeconds: LEASE_SECONDS,
  candidates: `
    SELECT id, 1 AS place FROM outgoing_mail
    WHERE status = 'pending' AND next_attempt_at <= $1 AND (lease_expires_at IS NULL OR lease_expires_at <= $1)
    ORDER BY next_attempt_at LIMIT 100`,
});
