import { mkdirSync } from 'node:fs';
import { MailDev } from 'maildev';

type Options = { folder: string; smtpPort: number; inboxPort: number };

/**
 * Starts the SMTP server that keeps what the product sends, and its web inbox, both on loopback. Nothing leaves.
 *
 * @param options.folder where the mails are kept between starts, the newest 500
 * @returns what stops both
 */
export async function startMail({ folder, smtpPort, inboxPort }: Options): Promise<{ stop(): Promise<void> }> {
  mkdirSync(folder, { recursive: true });
  const mail = new MailDev({
    smtp: smtpPort,
    ip: '127.0.0.1',
    web: inboxPort,
    webIp: '127.0.0.1',
    mailDirectory: folder,
    maxEmails: 500,
    silent: true,
  });
  const { api } = await mail.start();
  api?.server.server.prependListener('request', (request) => {
    // The inbox would let every web page in this person's browser read it; its own page sends no `Origin` that matters.
    delete request.headers.origin;
    // It answers 404 at its root, which is the address that people are given.
    if (request.url === '/') request.url = '/index.html';
  });
  return { stop: () => mail.stop() };
}
