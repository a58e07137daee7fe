import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withoutSecrets } from '@/lib/config/foreign-secrets';
import type { StarterContext } from './context';
import { startProcess } from './processes/start-process';

const READY_WITHIN_MS = 40_000;

/**
 * Starts the devnet when anything has no address of its own, and waits until it answers.
 *
 * @throws {Error} when it does not answer in time
 */
export async function startDevnet(context: StarterContext): Promise<void> {
  const { settings, secrets, ports, services, records, print, root, signal } = context;
  if (secrets === undefined || !needsDevnet(settings.embedded)) return;
  const env = {
    ...withoutSecrets(process.env),
    DEVNET_PORT: String(ports.devnet),
    DEVNET_NODE_PORT: String(ports.node),
    DEVNET_SMTP_PORT: String(ports.smtp),
    DEVNET_INBOX_PORT: String(ports.inbox),
    DEVNET_FOLDER: path.join(settings.dataDir, 'devnet'),
    DEVNET_CONTROL_TOKEN: secrets.controlToken,
  };
  await services.add('devnet', 'devnet', () =>
    startProcess({
      name: 'devnet',
      root,
      program: ['devnet/main.ts'],
      env,
      records,
      print: (line) => print('devnet', line),
    }),
  );
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; ) {
    signal.throwIfAborted();
    const answer = await fetch(`http://127.0.0.1:${ports.devnet}/0/public/Ticker`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error('the devnet did not answer in time');
}

function needsDevnet({ chains, ...services }: StarterContext['settings']['embedded']): boolean {
  return chains.length > 0 || Object.values(services).includes(true);
}
