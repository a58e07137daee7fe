import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { CHAINS } from '@/lib/shared/chains';
import { processFacts } from './processes/process-facts.mjs';
import { StartError } from './start-error';

const instanceSchema = z.object({
  /** The starter. */
  pid: z.int(),
  startedAt: z.string(),
  mode: z.enum(['embedded', 'production']),
  /** Where this machine reaches the product. */
  url: z.url(),
  publicUrl: z.url(),
  /** Where web listens; private means that only this machine reaches it. */
  listensOn: z.object({ host: z.string(), isPrivate: z.boolean() }),
  dataDir: z.string(),
  devnet: z
    .object({
      url: z.url(),
      controlToken: z.string(),
      /** Chains that are local. */
      chains: z.array(z.enum(CHAINS)),
      /** Names of the price venues that it stands in for. */
      venues: z.array(z.string()),
    })
    .nullable(),
  inboxUrl: z.url().nullable(),
  smtpUrl: z.string().nullable(),
  /** The owner's connection when the database is embedded. */
  databaseUrl: z.string().nullable(),
  demoMerchant: z.object({ email: z.string(), password: z.string() }).nullable(),
  /** Processes by name at the time of writing; a restarted one has another number. */
  processes: z.record(z.string(), z.int()),
});
/** A running instance, as its starter describes it to the commands beside it (`npm run pay`, `npm run devnet`). */
export type Instance = z.infer<typeof instanceSchema>;

/** Where an instance describes itself. */
export function instanceFile(dataDir: string): string {
  return path.join(dataDir, 'run', 'instance.json');
}

/** Writes the description, readable by its owner only: it holds the control token. */
export function writeInstance(instance: Instance): void {
  const file = instanceFile(instance.dataDir);
  writeFileSync(`${file}.new`, JSON.stringify(instance, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/**
 * Reads the description of the instance that runs on a data folder.
 *
 * @throws {StartError} when none runs there
 */
export function readInstance(dataDir: string): Instance {
  const file = instanceFile(dataDir);
  let instance: Instance;
  try {
    instance = instanceSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartError(`No instance runs on ${dataDir}: start one with npm start, or name its folder with DATA_DIR.`);
  }
  if (processFacts(instance.pid)?.startedAt !== instance.startedAt) {
    throw new StartError(`The instance on ${dataDir} is not running: start it with npm start.`);
  }
  return instance;
}
