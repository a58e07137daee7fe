import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { processFacts } from './process-facts';

test('a foreign program ends with its parent, also when that is killed with SIGKILL', async () => {
  const module = path.join(import.meta.dirname, 'tie-to-parent.ts');
  const code = `
    import { spawn } from 'node:child_process';
    import { tieToParent } from ${JSON.stringify(module)};
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    tieToParent(child, 'SIGTERM');
    console.log(child.pid);
    setInterval(() => undefined, 1000);`;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = await once(parent.stdout, 'data');
  const pid = Number(text);
  expect(processFacts(pid)?.command).toBe('sleep 60');
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(processFacts(pid)).toBeUndefined(), { timeout: 10_000 });
}, 20_000);
