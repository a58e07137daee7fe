import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import getPort from 'get-port';
import type { Instance } from '@/starter/instance';
import { callApi } from '../support/call-api';
import { pidOf } from '../support/kill-process';
import { test } from '../support/test';

test.skip(process.platform !== 'linux', 'it reads the environment of a process from /proc');

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Every file that Next reads variables from when it runs. */
const FILES = ['.env', '.env.local', '.env.production', '.env.production.local'];
const SECRETS =
  'KEK_FILE=/etc/incassa/kek\nPOSTGRES_PASSWORD=the-password-of-the-owner\nSIGNER_DATABASE_URL=postgresql://incassa_signer@db/x\n';

/** A second web process beside the instance's, on a folder of its own with the same code and build. */
async function startWeb(instance: Instance, program: string, env: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'incassa-web-'));
  for (const name of [
    'node_modules',
    'public',
    'app',
    'lib',
    'components',
    'starter',
    'tsconfig.json',
    'next.config.ts',
  ])
    symlinkSync(path.join(ROOT, name), path.join(folder, name));
  cpSync(path.join(ROOT, '.next'), path.join(folder, '.next'), {
    recursive: true,
    filter: (file) => !file.includes(`${path.sep}.next${path.sep}cache`),
  });
  cpSync(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
  for (const file of FILES) writeFileSync(path.join(folder, file), SECRETS);
  const given = readFileSync(`/proc/${pidOf(instance, 'web')}/environ`, 'utf8')
    .split('\0')
    .filter(Boolean);
  const entries = given.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  const inherited = Object.fromEntries(entries.filter(([name, value]) => value !== '' && !name?.startsWith('__NEXT')));
  const port = await getPort({ host: '127.0.0.1' });
  const child = spawn(process.execPath, [path.join(folder, program), 'start', '--port', String(port)], {
    cwd: folder,
    env: { ...inherited, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output?.on('data', (data) => (said += data));
  const stop = async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${port}`, child, said: () => said, stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

test('web reads no .env file, and behind https every answer tells browsers to stay with it', async ({ instance }) => {
  const web = await startWeb(instance, 'starter/web.mjs', { PUBLIC_URL: 'https://cassa.example' });
  try {
    const first: (string | null)[] = [];
    const status = () =>
      callApi(web.url, '/api/health').then(
        (answer) => {
          first.push(answer.headers.get('strict-transport-security'));
          return answer.status;
        },
        () => web.said(),
      );
    // Often, to meet the moment in which Next listens already.
    await expect.poll(status, { intervals: [20] }).toBe(200);
    expect(new Set(first)).toEqual(new Set(['max-age=31536000']));
    const paths = [
      '/',
      '/login',
      '/pay/niente',
      '/api/niente',
      '/icon.svg',
      '/non-esiste',
      '/invoices/1.png',
      '/_next/niente',
    ];
    for (const each of [...paths, '/_next/static/niente.js', '/_next/image?url=%2Ficon.svg&w=64&q=75', '/%E0%A4%A'])
      expect([each, (await callApi(web.url, each)).headers.get('strict-transport-security')]).toEqual([
        each,
        'max-age=31536000',
      ]);
  } finally {
    await web.stop();
  }
});

test('Next started past our program reads them, and then the process ends and says what it must not have', async ({
  instance,
}) => {
  const web = await startWeb(instance, 'node_modules/next/dist/bin/next', {});
  try {
    await expect.poll(() => web.child.exitCode, { message: web.said() }).toBe(1);
    expect(web.said()).toContain('must not have KEK_FILE, SIGNER_DATABASE_URL, POSTGRES_PASSWORD');
    expect(web.said()).not.toContain('the-password-of-the-owner');
  } finally {
    await web.stop();
  }
});
