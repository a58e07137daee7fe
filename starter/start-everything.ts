import type { Role } from '@/lib/config/roles';
import { banner } from './banner';
import { buildWeb, generateClient } from './build/prepare-code';
import type { StarterContext } from './context';
import { type Instance, writeInstance } from './instance';
import { processFacts } from './processes/process-facts.mjs';
import { seedDemoMerchant } from './seed-demo-merchant';
import { startDatabase } from './start-database';
import { startDevnet } from './start-devnet';
import { startProduct } from './start-product';
import { waitForHealth } from './wait-for-health';

/**
 * Starts the instance, side by side whatever does not need the other, up to the banner.
 *
 * @param begunAt when the start began, on the clock of `performance.now()`
 * @throws {Error} when a step fails, or the signal's reason when it is given up
 */
export async function startEverything(context: StarterContext, begunAt: number): Promise<void> {
  const { signal, tell } = context;
  const rolePasswords = rolePasswordsOf(context);
  const failing = new AbortController();
  const inner = { ...context, signal: AbortSignal.any([signal, failing.signal]) };
  const generated = generateClient(inner);
  const built = generated.then(() => buildWeb(inner));
  const database = Promise.all([startDatabase(inner, rolePasswords), generated]);
  const product = Promise.all([database, startDevnet(inner)]).then(([[ownerUrl]]) =>
    startProduct(inner, ownerUrl, rolePasswords, built),
  );
  const steps = [generated, built, database, product];
  for (const step of steps) step.catch((error: Error) => failing.abort(error));
  // All are waited for even when one fails, so that nothing starts behind the back of the stop that follows.
  await Promise.allSettled(steps);
  signal.throwIfAborted();
  failing.signal.throwIfAborted();
  const [ownerUrl] = await database;
  const instance = describeInstance(context, ownerUrl);
  writeInstance(instance);
  const health = await waitForHealth(instance.url, signal, tell);
  if (health === undefined) return;
  const demo = instance.demoMerchant === null ? undefined : context.secrets?.demoMerchant;
  const seeded = demo && (await seedDemoMerchant(instance.url, demo));
  const announced = seeded ? instance : { ...instance, demoMerchant: null };
  process.stdout.write(`\n${banner(announced, (performance.now() - begunAt) / 1000)}\n\n`);
}

function rolePasswordsOf({ secrets }: StarterContext): Record<Role, string> {
  const given = (role: Role) => process.env[`${role.toUpperCase()}_DB_PASSWORD`] || secrets?.rolePasswords[role] || '';
  return { web: given('web'), watcher: given('watcher'), dispatcher: given('dispatcher'), signer: given('signer') };
}

function describeInstance({ settings, secrets, ports, services }: StarterContext, ownerUrl: string): Instance {
  const running = services.pids();
  const local = secrets !== undefined && running.devnet !== undefined;
  return {
    pid: process.pid,
    startedAt: processFacts(process.pid)?.startedAt ?? '',
    mode: settings.mode,
    url: settings.url,
    publicUrl: settings.publicUrl,
    dataDir: settings.dataDir,
    devnet: local
      ? {
          url: `http://127.0.0.1:${ports.devnet}`,
          controlToken: secrets.controlToken,
          chains: settings.embedded.chains,
          venues: [...(settings.embedded.kraken ? ['Kraken'] : []), ...(settings.embedded.binance ? ['Binance'] : [])],
        }
      : null,
    inboxUrl: local && settings.embedded.mail ? `http://127.0.0.1:${ports.inbox}` : null,
    smtpUrl: local && settings.embedded.mail ? `smtp://127.0.0.1:${ports.smtp}` : null,
    databaseUrl: settings.databaseUrl === undefined ? ownerUrl : null,
    // Its password is printed: it is for those who sit at this machine.
    demoMerchant: secrets !== undefined && settings.isPrivate ? secrets.demoMerchant : null,
    listensOn: { host: settings.host, isPrivate: settings.isPrivate },
    processes: running,
  };
}
