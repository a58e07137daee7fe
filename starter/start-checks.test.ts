import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import getPort, { clearLockedPorts } from 'get-port';
import { expect, test } from 'vitest';
import { checkPort } from './check-port';
import { choosePorts } from './choose-ports';
import { openDataFolder } from './open-data-folder';
import { StartError } from './start-error';

const newFolder = () => mkdtempSync(path.join(tmpdir(), 'incassa-start-'));

async function listening<T>(port: number, act: () => Promise<T>): Promise<T> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return act().finally(() => server.close());
}

test('a port in use is one sentence that names it; a free one passes', async () => {
  const port = await getPort({ host: '127.0.0.1' });
  await expect(checkPort(port, '127.0.0.1')).resolves.toBeUndefined();
  await listening(port, async () => {
    await expect(checkPort(port, '127.0.0.1')).rejects.toThrow(StartError);
    await expect(checkPort(port, '127.0.0.1')).rejects.toThrow(`PORT ${port} is in use`);
  });
});

test('the data folder can be passed but not listed by others, and what runs in it is closed', () => {
  const dataDir = path.join(newFolder(), 'deep', 'data');
  const run = openDataFolder(dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(0o711);
  expect(statSync(run).mode & 0o777).toBe(0o700);
});

test('a folder that cannot be made is one sentence that names it', () => {
  const file = path.join(newFolder(), 'file');
  writeFileSync(file, '');
  expect(() => openDataFolder(path.join(file, 'data'))).toThrow(StartError);
  expect(() => openDataFolder('/proc/incassa')).toThrow('DATA_DIR /proc/incassa cannot be written');
});

test('ports stay the same from start to start while they are free, and no two are equal', async () => {
  const run = newFolder();
  const first = await choosePorts(run);
  expect(new Set(Object.values(first)).size).toBe(5);
  clearLockedPorts();
  expect(await choosePorts(run)).toEqual(first);
  clearLockedPorts();
  await listening(first.devnet, async () => {
    const second = await choosePorts(run);
    expect(second.devnet).not.toBe(first.devnet);
    expect(second.postgres).toBe(first.postgres);
  });
});
