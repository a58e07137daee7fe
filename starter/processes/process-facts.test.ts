import { expect, test } from 'vitest';
import { isSameProcess } from './process-facts.mjs';

const noted = { startedAt: 'boot/100', command: 'node workers/main.ts watcher' };

test('a process is ours when it began at the same tick with the same command', () => {
  expect(isSameProcess(noted, { ...noted })).toBe(true);
});

test('a number that was used again by another process is never ours', () => {
  expect(isSameProcess(noted, { ...noted, startedAt: 'boot/101' })).toBe(false);
  expect(isSameProcess(noted, { ...noted, startedAt: 'other-boot/100' })).toBe(false);
  expect(isSameProcess(noted, { startedAt: 'boot/100', command: 'vim notes.txt' })).toBe(false);
});

test('a process that is gone is not ours, and one that Next renamed still is', () => {
  expect(isSameProcess(noted, undefined)).toBe(false);
  expect(isSameProcess(noted, { startedAt: 'boot/100', command: 'next-server (v16.4.6)' })).toBe(true);
});
