import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepOneGenesis } from './genesis';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'incassa-genesis-'));
  file = path.join(folder, 'state.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const block = (number: number, timestamp: number) => ({
  header: { number: `0x${number.toString(16)}`, timestamp: `0x${timestamp.toString(16)}` },
});
/** A saved chain with a block 0 of each of these times, around its block 1. */
function save(times: number[]): void {
  const [first = 0, ...others] = times.map((time) => block(0, time));
  writeFileSync(file, JSON.stringify({ best: 1, blocks: [first, block(1, 500), ...others] }));
}
const note = (timestamp: number) =>
  writeFileSync(
    path.join(folder, 'ethereum-genesis.json'),
    JSON.stringify({ hash: '0x1', timestamp: `0x${timestamp.toString(16)}` }),
  );
const kept = () => JSON.parse(readFileSync(file, 'utf8'));

test('the noted block 0 stays, also beside an older one, which a clock that was put back makes', () => {
  note(300);
  save([200, 300, 400]);
  keepOneGenesis(file, folder);
  expect(kept()).toEqual({ best: 1, blocks: [block(1, 500), block(0, 300)] });
});

test('without a note the oldest stays', () => {
  save([400, 300, 350]);
  keepOneGenesis(file, folder);
  expect(kept()).toEqual({ best: 1, blocks: [block(1, 500), block(0, 300)] });
});

test('a chain that has lost its noted block 0 is refused, and left as it is', () => {
  note(300);
  save([200, 400]);
  const before = kept();
  expect(() => keepOneGenesis(file, folder)).toThrow('has lost its block 0');
  expect(kept()).toEqual(before);
});
