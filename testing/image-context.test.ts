import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import dockerignore from '@balena/dockerignore';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const context = dockerignore().add(read('.dockerignore').split('\n'));
const isInContext = (file: string) => !context.ignores(file);
/** What is committed, or would be. */
const committed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);

/** Names under which operators keep secrets; the first one is what older documentation told them to make. */
const SECRET_FILES = [
  ...['kek', 'kek.old', 'my.kek', 'server.key', 'tls.pem', 'secrets.json'],
  ...['.env', '.env.web', '.env.local', '.env.production', '.env.production.local', 'web.env'],
  ...['.data/kek', '.data/secrets.json', '.data-2/run/instance.json', '.git/config', 'backup.dump', 'words.txt'],
];

describe('the context that the image is built from', () => {
  test.each(SECRET_FILES)('never holds %s', (file) => {
    expect(isInContext(file)).toBe(false);
  });

  test.each(SECRET_FILES.filter((file) => !/^(\.git|backup|words|web\.env)/.test(file)))(
    'never holds %s from within a folder that it takes either',
    (file) => {
      for (const folder of ['lib', 'lib/config', 'starter', 'workers/signer', 'prisma', 'app/api'])
        expect([`${folder}/${file}`, isInContext(`${folder}/${file}`)]).toEqual([`${folder}/${file}`, false]);
    },
  );

  test('holds no file of the tree but what is committed, and of that only what runs', () => {
    const taken = committed.filter(isInContext);
    expect(taken.filter((file) => /\.test\.|^(docs|e2e|bench|devnet|testing|\.ci)\/|^\.(?!npmrc)/.test(file))).toEqual(
      [],
    );
    const lines = read('.dockerignore').split('\n');
    expect(lines.find((line) => !line.startsWith('#'))).toBe('*');
    const named = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(named.filter((name) => !existsSync(path.join(root, name)) || /[*?]/.test(name))).toEqual([]);
  });

  test('holds whatever a program of the image imports', () => {
    const taken = committed.filter((file) => isInContext(file) && /\.(ts|tsx|mjs)$/.test(file));
    const missing = taken.flatMap((file) =>
      [...read(file).matchAll(/(?:from|import\()\s*'(@\/|\.{1,2}\/)([^']+)'/g)].flatMap(([, start, rest = '']) => {
        const target = path.join(start === '@/' ? '' : path.dirname(file), start === '@/' ? rest : `${start}${rest}`);
        if (target.startsWith('lib/db/generated')) return [];
        const found = ['', '.ts', '.tsx'].some((end) => isInContext(target + end) && committed.includes(target + end));
        return found ? [] : [`${file}: ${target}`];
      }),
    );
    expect(missing).toEqual([]);
  });
});

test.each(SECRET_FILES.filter((file) => !/^(\.git|backup|words|secrets)|kek\.old/.test(file)))(
  'git commits no file named %s',
  (file) => {
    expect(execFileSync('git', ['check-ignore', '--no-index', file], { cwd: root, encoding: 'utf8' }).trim()).toBe(
      file,
    );
  },
);
