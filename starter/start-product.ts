import type { Role } from '@/lib/config/roles';
import type { StarterContext } from './context';
import { environments } from './environments';
import { runTool } from './processes/run-tool';
import { startProcess } from './processes/start-process';

const WORKERS = ['watcher', 'dispatcher', 'signer'] as const;

/**
 * Gives the instance its seed in embedded mode, then starts the workers, and the web process once its pages are built.
 *
 * @param ownerUrl the owner's connection, from which each role's own is made
 * @param built settles when `.next` is ready
 */
export async function startProduct(
  context: StarterContext,
  ownerUrl: string,
  rolePasswords: Record<Role, string>,
  built: Promise<unknown>,
): Promise<void> {
  const { settings, secrets, ports, root, signal, print } = context;
  const env = environments({ settings, secrets, ports, ownerUrl, rolePasswords, source: process.env });
  if (secrets !== undefined) {
    await runTool({
      name: 'The seed',
      root,
      program: ['workers/signer/init-seed.ts'],
      env: env.signer,
      signal,
      print: (line) => print('signer', line),
    });
  }
  const start = (role: Role, program: string[]) =>
    context.services.add('product', role, () =>
      startProcess({
        name: role,
        root,
        program,
        env: env[role],
        records: context.records,
        print: (line) => print(role, line),
      }),
    );
  signal.throwIfAborted();
  await Promise.all(WORKERS.map((role) => start(role, ['workers/main.ts', role])));
  await built;
  signal.throwIfAborted();
  await start('web', ['starter/web.mjs']);
}
