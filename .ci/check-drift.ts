import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrateDatabase } from '../starter/migrate-database';
import { startEmbeddedPostgres } from '../starter/postgres/embedded-postgres';
import { runTool } from '../starter/processes/run-tool';

/** Do the migrations, played on an empty database, give the schema that the code is written against? Exit 1 if not. */
async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'incassa-drift-'));
  const log: string[] = [];
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'postgres'),
    durable: false,
    log: (line) => log.push(line),
  });
  try {
    // The migrations grant to the login roles, which this creates.
    const password = () => randomBytes(18).toString('base64url');
    const rolePasswords = { web: password(), watcher: password(), dispatcher: password(), signer: password() };
    await migrateDatabase({ root: process.cwd(), ownerUrl: postgres.ownerUrl, rolePasswords });
    await runTool({
      name: 'prisma migrate diff',
      root: process.cwd(),
      program: [
        ...['node_modules/prisma/build/index.js', 'migrate', 'diff'],
        ...['--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema', '--exit-code'],
      ],
      env: { ...process.env, DATABASE_URL: postgres.superuserUrl, DATABASE_DIRECT_URL: postgres.superuserUrl },
      print: (line) => console.log(line),
    });
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: Error) => {
  console.error(error.message.split('\n', 1)[0]);
  process.exitCode = 1;
});
