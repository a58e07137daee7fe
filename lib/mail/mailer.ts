import { createTransport } from 'nodemailer';
import type { ClaimedMail } from './repository';

const CONNECT_TIMEOUT_MS = 5_000;
const SOCKET_TIMEOUT_MS = 10_000;

/** Something that sends mail. */
export interface Mailer {
  /** @throws the mail server's refusal or the connection's error */
  send(mail: Pick<ClaimedMail, 'id' | 'recipient' | 'subject' | 'text'>): Promise<void>;
  close(): void;
}

/**
 * A mailer over SMTP. A mail that is sent again after a crash carries the same Message-ID, by which mail programs see that it
 * is the same.
 * @param smtpUrl smtp://[user:password@]host[:port] or smtps://…
 * @param from e.g. `Incassa <incassa@example.com>`
 * @param connections at most so many mails at a time
 */
export function createMailer(smtpUrl: string, from: string, connections: number): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: connections,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, recipient, subject, text }) {
      const messageId = `<incassa-${id}@${domain}>`;
      await transport.sendMail({ from, to: { name: '', address: recipient }, subject, text, messageId });
    },
    close: () => transport.close(),
  };
}
