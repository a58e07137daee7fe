import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { EvmReader } from '@/lib/chains/evm/reader';

const START_TIMEOUT_MS = 20_000;
const LISTENING = /^Listening on 127\.0\.0\.1:(\d+)/;

export interface Anvil {
  url: string;
  pid: number;
  /** One JSON-RPC call, its result as the node sends it. @throws Error with the node's own message */
  rpc(method: string, params?: unknown[]): Promise<unknown>;
  /** Ends the node. @param signal SIGKILL leaves it no time to save its state */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a real Ethereum node on a free loopback port: funded accounts, a block per transaction unless `args` say otherwise.
 * The program itself is started, not its npm wrapper, so that it can be ended.
 */
export async function startAnvil(args: string[] = []): Promise<Anvil> {
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const child = spawn(anvilPath(), [...port, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  // A test run that is cut off takes its nodes with it.
  const killWithParent = () => child.kill('SIGKILL');
  process.once('exit', killWithParent);
  child.once('exit', () => process.off('exit', killWithParent));
  try {
    const url = `http://127.0.0.1:${await listeningPort(child)}`;
    return {
      url,
      pid: child.pid ?? 0,
      rpc: (method, params = []) => call(url, method, params),
      stop: (signal) => stop(child, signal),
    };
  } catch (error) {
    await stop(child, 'SIGKILL');
    throw error;
  }
}

/** The binary of this platform's optional dependency. */
function anvilPath(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil${suffix}`;
  const require = createRequire(import.meta.url);
  return createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(name);
}

function listeningPort(child: ChildProcess): Promise<number> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`anvil ${why}: ${said.slice(-5).join(' ')}`));
    const timer = setTimeout(() => fail('did not listen in time'), START_TIMEOUT_MS);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`ended with code ${code}`));
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        const port = LISTENING.exec(line)?.[1];
        if (!port) return;
        clearTimeout(timer);
        resolve(Number(port));
      });
    }
  });
}

async function call(url: string, method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const answer: unknown = await response.json();
  if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result;
  throw new Error(`${method}: ${JSON.stringify(answer)}`);
}

async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** The product's reader of a local chain. */
export function anvilReader(url: string): EvmReader {
  return new EvmReader({ chain: 'ethereum', coin: 'ETH', url, chainId: 31_337, timeoutMs: 2_000 });
}
