import { z } from 'zod';
import type { Sql } from '@/lib/db/database';
import type { Lease } from '@/lib/db/leased-queue';
import { mailQueue } from './mail-queue';

/** A mail that this process has claimed. */
export interface ClaimedMail extends Lease {
  recipient: string;
  subject: string;
  text: string;
  /** Attempts that were completed before. */
  attemptCount: number;
}

const RowSchema = z.object({
  id: z.bigint().transform(String),
  lease_token: z.uuid(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  attempt_count: z.number().int(),
});

/** Takes up to `limit` due mails for 30 s. */
export async function claimMails(sql: Sql, options: { now: Date; limit: number }): Promise<ClaimedMail[]> {
  const rows = z.array(RowSchema).parse(await mailQueue.claim(sql, options));
  return rows.map(({ lease_token, attempt_count, ...row }) => ({
    ...row,
    leaseToken: lease_token,
    attemptCount: attempt_count,
  }));
}
