import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { StartError } from './start-error';

const secretsSchema = z.object({
  authSecret: z.string().min(32),
  appSealKey: z.string().min(44),
  controlToken: z.string().min(32),
  rolePasswords: z.object({
    web: z.string().min(16),
    watcher: z.string().min(16),
    dispatcher: z.string().min(16),
    signer: z.string().min(16),
  }),
  demoMerchant: z.object({ name: z.string(), email: z.string(), password: z.string() }),
});
/** What an embedded instance keeps to itself, made once. */
export type Secrets = z.infer<typeof secretsSchema> & {
  /** File with the key-encryption key: the signer alone is told of it. */
  kekFile: string;
};

/**
 * Reads the secrets of a data folder, and makes them at the first start: `secrets.json` and `kek`, both readable by
 * their owner only.
 *
 * @throws {StartError} when a file is there but is not ours to read: making new secrets would lock the data out
 */
export function loadSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  const kekFile = path.join(dataDir, 'kek');
  if (!existsSync(file)) keep(file, JSON.stringify(makeSecrets(), null, 2));
  if (!existsSync(kekFile)) keep(kekFile, randomBytes(32).toString('base64'));
  return { ...readSecrets(file), kekFile };
}

function readSecrets(file: string): z.infer<typeof secretsSchema> {
  try {
    return secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartError(
      `${file} cannot be read: put back the file that belongs to this folder, or choose another DATA_DIR.`,
    );
  }
}

function makeSecrets(): z.infer<typeof secretsSchema> {
  const secret = () => randomBytes(24).toString('base64url');
  return {
    authSecret: randomBytes(48).toString('base64url'),
    appSealKey: randomBytes(32).toString('base64'),
    controlToken: randomBytes(32).toString('base64url'),
    rolePasswords: { web: secret(), watcher: secret(), dispatcher: secret(), signer: secret() },
    demoMerchant: {
      name: 'Negozio dimostrativo',
      email: 'demo@incassa.example',
      password: randomBytes(12).toString('base64url'),
    },
  };
}

/** In one step, so that a kill leaves either no file or a whole one. */
function keep(file: string, text: string): void {
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
