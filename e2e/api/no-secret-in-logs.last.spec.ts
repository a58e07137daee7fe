import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { instanceLog } from '../support/instance-log';
import { SECRET_MARK } from '../support/secret-word';
import { test } from '../support/test';

/** The demo merchant's password is not among them: the banner tells it. */
const ownSecrets = z.object({
  authSecret: z.string(),
  appSealKey: z.string(),
  controlToken: z.string(),
  rolePasswords: z.record(z.string(), z.string()),
});

test('after everything that the other tests did, no log line holds a password, token, key or secret (F7)', ({
  instance,
}) => {
  const log = readFileSync(instanceLog(instance.dataDir), 'utf8');
  expect(log, 'the instance wrote what it did').toContain('"method":"POST"');
  const read = (file: string) => readFileSync(path.join(instance.dataDir, file), 'utf8').trim();
  const { rolePasswords, ...own } = ownSecrets.parse(JSON.parse(read('secrets.json')));
  for (const [name, secret] of Object.entries({ ...own, ...rolePasswords, kek: read('kek'), password: SECRET_MARK })) {
    expect(secret.length).toBeGreaterThan(8);
    expect(log.includes(secret), name).toBe(false);
  }
  for (const form of [/inc_live_[0-9A-Za-z]{20}/, /whsec_[\w+/=]{10}/, /eyJ[\w-]{10,}\.[\w-]*\.[\w-]*/, /\$argon2/]) {
    expect(form.exec(log)?.index, String(form)).toBeUndefined();
  }
});
