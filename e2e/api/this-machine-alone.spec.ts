import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { childrenOf } from '@/testing/freeze-process';
import { pay } from '../support/pay';
import { readMail } from '../support/read-mail';
import { test } from '../support/test';

test.skip(process.platform !== 'linux', 'it looks into /proc');

/** State of a listening socket in /proc/net/tcp (proc_pid_net(5)). */
const LISTENING = '0A';
/** 127.0.0.1 and ::1 as they stand there. */
const LOOPBACK = ['0100007F', '00000000000000000000000001000000'];

function withDescendants(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(withDescendants)];
}

/** What a process listens on: `<address>:<port>`, both in hexadecimal. Nothing of one that has ended meanwhile. */
function listeners(pid: number): string[] {
  const sockets = new Set(orNone(() => readdirSync(`/proc/${pid}/fd`)).flatMap((fd) => socketOf(pid, fd)));
  return orNone(() => [...tableOf(pid, 'tcp'), ...tableOf(pid, 'tcp6')])
    .filter(([, , , state, , , , , , inode]) => state === LISTENING && sockets.has(`socket:[${inode}]`))
    .map(([, address = '']) => address);
}

const socketOf = (pid: number, fd: string) => orNone(() => [readlinkSync(`/proc/${pid}/fd/${fd}`)]);

function tableOf(pid: number, name: string): string[][] {
  const lines = readFileSync(`/proc/${pid}/net/${name}`, 'utf8').trim().split('\n');
  return lines.map((line) => line.trim().split(/\s+/));
}

function orNone<T>(read: () => T[]): T[] {
  try {
    return read();
  } catch {
    return [];
  }
}

test('nothing of an instance listens for anybody but this machine', async ({ instance }) => {
  const found = withDescendants(instance.pid).flatMap(listeners);
  const ports = new Set(found.map((address) => Number.parseInt(address.split(':')[1] ?? '', 16)));
  // Web, devnet, node, SMTP, inbox and Postgres.
  expect(ports.size).toBeGreaterThanOrEqual(6);
  expect(ports).toContain(Number(new URL(instance.url).port));
  expect(found.filter((address) => !LOOPBACK.includes(address.split(':')[0] ?? ''))).toEqual([]);
});

/** Files below a folder that some other user of the machine could open: readable ones in folders that can be passed. */
function openFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    const { mode } = statSync(file);
    if (entry.isDirectory()) return (mode & 0o011) === 0 ? [] : openFiles(file);
    return (mode & 0o044) === 0 ? [] : [file];
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

test('no other user of the machine reads a file of the data folder, and mails are closed one by one', async ({
  instance,
  merchant,
}) => {
  const { uuid } = await merchant.createInvoice();
  const email = await merchant.setEmail(uuid);
  await pay(instance, uuid);
  await expect.poll(async () => (await readMail(instance, email)).length).toBeGreaterThan(0);
  expect(openFiles(instance.dataDir)).toEqual([]);
  const devnet = path.join(instance.dataDir, 'devnet');
  expect(statSync(devnet).mode & 0o777).toBe(0o700);
  expect(readdirSync(path.join(devnet, 'mail'))).not.toEqual([]);
  const files = filesBelow(devnet);
  expect(files.filter((file) => (statSync(file).mode & 0o077) !== 0)).toEqual([]);
});
