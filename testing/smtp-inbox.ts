import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** One mail that arrived: its envelope and its lines as sent, headers first. */
interface ReceivedMail {
  recipients: string[];
  source: string;
}

export interface SmtpInbox {
  url: string;
  received: ReceivedMail[];
  /** Refuses the next mails with these replies, e.g. `451 try again`. */
  refuse(...replies: string[]): void;
  close(): Promise<void>;
}

/** Starts a mail server on a free port of 127.0.0.1 that knows as much SMTP (RFC 5321) as a sender needs. */
export async function startSmtpInbox(): Promise<SmtpInbox> {
  const received: ReceivedMail[] = [];
  const refusals: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    converse(socket, received, refusals);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    refuse: (...replies) => refusals.push(...replies),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function converse(socket: Socket, received: ReceivedMail[], refusals: string[]): void {
  const reply = (line: string) => socket.write(`${line}\r\n`);
  let recipients: string[] = [];
  let source: string[] | null = null;
  reply('220 inbox');
  createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    if (source) {
      if (line !== '.') return void source.push(line);
      const refusal = refusals.shift();
      if (!refusal) received.push({ recipients, source: source.join('\r\n') });
      [recipients, source] = [[], null];
      return void reply(refusal ?? '250 ok');
    }
    const [verb = ''] = line.toUpperCase().split(/[ :]/);
    if (verb === 'RCPT') recipients.push(/<(.*)>/.exec(line)?.[1] ?? '');
    if (verb === 'DATA') source = [];
    if (verb === 'QUIT') return void socket.end('221 bye\r\n');
    reply(verb === 'DATA' ? '354 go on' : '250 ok');
  });
}
