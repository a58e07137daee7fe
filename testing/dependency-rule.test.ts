import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const run = promisify(execFile);
const ROOMS = ['app', 'components', 'lib', 'workers', 'starter', 'devnet'];

/** A forbidden import of each kind: who imports, what, and the rule that must object. */
const PLANTED = [
  ['lib/shared/planted.ts', 'lib/db/target.ts', 'shared-is-a-leaf'],
  ['lib/api-schema/planted.ts', 'lib/invoices/target.ts', 'api-schema-imports-shared'],
  ['lib/client/planted.ts', 'lib/db/target.ts', 'client-imports-api-schema'],
  ['components/ui/planted.tsx', 'lib/invoices/target.ts', 'components-import-client'],
  ['lib/wallets/planted.ts', 'lib/invoices/target.ts', 'domain-order-wallets'],
  ['lib/rates/planted.ts', 'lib/ledger/target.ts', 'domain-order-rates'],
  ['lib/wallets/beside.ts', 'lib/webhooks/target.ts', 'domain-order-wallets'],
  ['lib/invoices/planted.ts', 'app/target.ts', 'nothing-imports-an-entrance'],
  ['lib/deposits/planted.ts', 'workers/target.ts', 'nothing-imports-an-entrance'],
  ['app/planted.ts', 'workers/other-target.ts', 'app-not-to-workers'],
  ['lib/invoices/web.ts', 'lib/http/target.ts', 'only-app-imports-http'],
  ['lib/chains/evm/planted.ts', 'lib/wallets/target.ts', 'chains-know-no-domain'],
  ['lib/chains/bsc/sibling.ts', 'lib/chains/tron/target.ts', 'chains-know-no-other-chain'],
  ['lib/invoices/chain.ts', 'lib/chains/evm/target.ts', 'domains-reach-chains-by-the-port'],
  ['lib/invoices/seed.ts', 'lib/keys/vault.ts', 'keys-belong-to-the-signer'],
  ['lib/invoices/query.ts', 'lib/db/generated/client.ts', 'prisma-stays-in-repositories'],
  ['workers/watcher/planted.ts', 'testing/target.ts', 'testing-is-for-tests'],
  ['lib/deposits/sync.ts', 'lib/chain-sync/target.ts', 'domain-order-deposits'],
  ['lib/chain-sync/planted.test.ts', 'lib/invoices/tested.ts', 'domain-order-chain-sync'],
  ['lib/invoices/above.ts', 'lib/reconciliation/target.ts', 'domain-order-invoices'],
  ['lib/db/planted.ts', 'lib/ledger/known.ts', 'foundations-know-no-domain'],
  ['lib/deposits/local.ts', 'devnet/target.ts', 'nothing-imports-an-entrance'],
  ['lib/wallets/local.test.ts', 'starter/target.ts', 'nothing-imports-an-entrance'],
  ['workers/watcher/local.ts', 'devnet/other-target.ts', 'workers-stand-alone'],
  ['starter/planted.ts', 'workers/watcher/started.ts', 'starter-starts-programs'],
  ['devnet/planted.ts', 'lib/rates/known.ts', 'devnet-stands-outside'],
  ['lib/net/planted.ts', 'lib/mail/target.ts', 'foundations-know-no-domain'],
  ['lib/rates/model-repository.ts', 'lib/db/generated/other.ts', 'prisma-client-is-made-once'],
  ['workers/dispatcher/planted.ts', 'lib/rates/row-repository.ts', 'workers-without-prisma'],
] as const;

/** Packages whose use is confined. */
const PLANTED_PACKAGES = [
  ['lib/invoices/sdk.ts', 'ethers', 'chain-sdks-stay-in-chains'],
  ['lib/invoices/framework.ts', 'next/server', 'frameworks-stay-on-top'],
  ['lib/invoices/view.ts', 'react', 'frameworks-stay-on-top'],
] as const;

describe('the dependency rule', () => {
  let folder: string;
  let found: { from: string; rule: { name: string } }[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'incassa-rule-'));
    const write = async (path: string, text: string) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    };
    await write('tsconfig.json', JSON.stringify({ compilerOptions: { paths: { '@/*': ['./*'] } } }));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const [from, to] of PLANTED) {
      await write(to, 'export const target = 1;\n');
      await write(from, `import { target } from '@/${to.replace(/\.ts$/, '')}';\nexport const planted = target;\n`);
    }
    // The rule for workers looks through what they import.
    await write('lib/db/prisma.ts', 'export const target = 1;\n');
    await write('lib/rates/row-repository.ts', `export { target } from '@/lib/db/prisma';\n`);
    for (const [from, name] of PLANTED_PACKAGES) {
      await write(from, `import * as planted from '${name}';\nexport const used = planted;\n`);
    }
    const cli = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const config = join(ROOT, '.dependency-cruiser.cjs');
    const args = [cli, '--config', config, '--output-type', 'json', ...ROOMS];
    const { stdout } = await run(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch(
      (failed: { stdout: string }) => failed,
    );
    found = JSON.parse(stdout).summary.violations;
  }, 60_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([...PLANTED, ...PLANTED_PACKAGES])('catches %s importing %s', (from, _, rule) => {
    expect(found.filter((violation) => violation.from === from).map((violation) => violation.rule.name)).toContain(
      rule,
    );
  });
});
