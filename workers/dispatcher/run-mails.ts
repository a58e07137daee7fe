import { env } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import { composeMail } from '@/lib/invoices/announcements';
import { createMailer } from '@/lib/mail/mailer';
import { claimMails, type MailTools, processMail } from '@/lib/mail/process-mail';
import { Waker } from '@/workers/runtime/waker';
import type { WorkerContext } from '@/workers/runtime/worker-context';
import { claimLoop } from './claim-loop';

const CONCURRENCY = 4;

/** Sends mails; without an SMTP server they stay where they are until there is one. */
export async function runMails(db: Database, { signal, logger, clock }: WorkerContext): Promise<void> {
  const { SMTP_URL, MAIL_FROM } = env();
  if (!SMTP_URL) {
    logger.warn('SMTP_URL is not set: mails are kept and not sent');
    return;
  }
  const mailer = createMailer(SMTP_URL, MAIL_FROM, CONCURRENCY);
  const compose: MailTools['compose'] = (eventId, kind) => composeMail(db.pool, eventId, kind);
  await claimLoop({
    name: 'mails',
    concurrency: CONCURRENCY,
    claim: (limit) => claimMails(db.pool, { limit }),
    handle: (mail, stop) => processMail(db, mail, { mailer, clock, stop, compose }, logger),
    waker: new Waker(),
    signal,
    logger,
  });
  mailer.close();
}
