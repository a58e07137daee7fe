import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isSameProcess } from './is-same-process';
import { processFacts } from './process-facts';

const ownerSchema = z.object({ pid: z.int().min(1), startedAt: z.string(), command: z.string() });
type Owner = z.infer<typeof ownerSchema>;

type Outcome = { held: true; release(): void } | { held: false; owner: number };

/**
 * Takes a lock that dies with its process: one whose owner no longer runs is taken over.
 *
 * @param file the lock; its folder is created
 * @returns the lock, or the process that holds it
 */
export function tryLock(file: string): Outcome {
  mkdirSync(path.dirname(file), { recursive: true });
  const facts = processFacts(process.pid);
  const mine: Owner = { pid: process.pid, startedAt: facts?.startedAt ?? '', command: facts?.command ?? '' };
  const text = JSON.stringify(mine);
  for (;;) {
    try {
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
      return { held: true, release: () => releaseOwn(file, text) };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const found = readText(file);
    const owner = parseOwner(found);
    if (owner !== undefined && isSameProcess(owner, processFacts(owner.pid))) return { held: false, owner: owner.pid };
    setAside(file, found);
  }
}

/** Moves a dead lock away in one step; should a new owner have come in between, its lock is put back. */
function setAside(file: string, found: string | undefined): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (readText(aside) === found) rmSync(aside, { force: true });
  else renameSync(aside, file);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parseOwner(text: string | undefined): Owner | undefined {
  try {
    return ownerSchema.safeParse(JSON.parse(text ?? '')).data;
  } catch {
    return undefined;
  }
}

function releaseOwn(file: string, text: string): void {
  if (readText(file) === text) rmSync(file, { force: true });
}
