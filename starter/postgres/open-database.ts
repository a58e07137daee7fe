import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../start-error';

const READY_WITHIN_MS = 60_000;

/**
 * Waits until a server that was just started takes connections, and creates the product's database unless it is there.
 *
 * @param ownerUrl the owner's connection to that database
 * @param ended resolves when the server ends
 * @param lastLines the end of its log, for the reason of a failure
 * @throws {StartError} when it ends or does not get ready in time
 */
export async function openDatabase(ownerUrl: string, ended: Promise<string>, lastLines: string[]): Promise<void> {
  let gone = false;
  void ended.then(() => {
    gone = true;
  });
  const maintenance = ownerUrl.replace(/\/[^/]*$/, '/postgres');
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(50)) {
    if (gone) throw new StartError(`Postgres did not start: ${reasonIn(lastLines)}`);
    const client = new pg.Client({ connectionString: maintenance, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch {
      continue;
    }
    await createIfAbsent(client, new URL(ownerUrl).pathname.slice(1)).finally(() => client.end());
    return;
  }
  throw new StartError(`Postgres was not ready within ${READY_WITHIN_MS / 1000} s: ${reasonIn(lastLines)}`);
}

async function createIfAbsent(client: pg.Client, database: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
}

function reasonIn(lines: string[]): string {
  const fatal =
    lines.findLast((line) => /\b(FATAL|PANIC|LOG: {2}could not)/.test(line)) ?? lines.at(-1) ?? 'it said nothing';
  return fatal.replace(/^.*?\b(FATAL|PANIC|LOG|HINT): */, '');
}
