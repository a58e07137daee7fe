import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { createFaucet } from './ethereum/faucet';
import { startNode } from './ethereum/start-node';
import { createDevnetServer } from './http/devnet-server';
import { PriceTable } from './prices/price-table';
import { startMail } from './start-mail';

const port = z.coerce.number().int().min(1).max(65_535);
const environment = z.object({
  DEVNET_PORT: port,
  DEVNET_NODE_PORT: port,
  DEVNET_SMTP_PORT: port,
  DEVNET_INBOX_PORT: port,
  DEVNET_FOLDER: z.string().min(1),
  DEVNET_CONTROL_TOKEN: z.string().min(32),
});

/** Everything that a real instance finds outside: a chain, price venues and a mail server, each behind its real protocol. */
async function main(): Promise<void> {
  const settings = environment.parse(process.env);
  const folder = path.resolve(settings.DEVNET_FOLDER);
  closeFolder(folder);
  const log = (line: string) => console.log(line);
  const node = await startNode({ folder, port: settings.DEVNET_NODE_PORT, log });
  const mail = await startMail({
    folder: path.join(folder, 'mail'),
    smtpPort: settings.DEVNET_SMTP_PORT,
    inboxPort: settings.DEVNET_INBOX_PORT,
  });
  const server = createDevnetServer({
    node,
    faucet: createFaucet(node.url),
    prices: new PriceTable(),
    controlToken: settings.DEVNET_CONTROL_TOKEN,
    log,
  });
  let stopping = false;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    server.close();
    server.closeAllConnections();
    await Promise.allSettled([node.stop(), mail.stop()]);
    process.exit(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0));
  void node.ended.then(() => stop(1));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.DEVNET_PORT, '127.0.0.1', resolve);
  });
  console.log(`devnet ready on http://127.0.0.1:${settings.DEVNET_PORT}`);
}

/** People's mails lie in it: whatever this process and its children write is for their user alone. */
function closeFolder(folder: string): void {
  process.umask(0o077);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
