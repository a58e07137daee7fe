import { spawn } from 'node:child_process';
import { once } from 'node:events';
import getPort from 'get-port';

export interface BenchServer {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 30_000;

/** Starts a server program on a free loopback port and waits until it answers anything. */
export async function startServer(
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<BenchServer> {
  const port = await getPort({ host: '127.0.0.1' });
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env, PORT: String(port), NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const url = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + READY_WITHIN_MS; ; ) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${args.join(' ')} did not start.`);
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      process.off('exit', kill);
      child.kill('SIGKILL');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
