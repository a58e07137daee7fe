import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isSameProcess, processFacts } from './process-facts.mjs';

const recordSchema = z.object({ name: z.string(), pid: z.int().min(2), startedAt: z.string(), command: z.string() });
type ChildRecord = z.infer<typeof recordSchema>;

/** A worker ends within five seconds of SIGTERM; after that it is ended. */
const PATIENCE_MS = 6_000;

/** The children of a starter, noted on disk, so that the next start can end what a killed one left behind. */
export class ChildRecords {
  readonly #file: string;
  #records: ChildRecord[] = [];

  /** @param file e.g. `DATA_DIR/run/children.json` */
  constructor(file: string) {
    this.#file = file;
    mkdirSync(path.dirname(file), { recursive: true });
  }

  /** Notes a running child. */
  add(name: string, pid: number): void {
    const facts = processFacts(pid);
    if (facts === undefined) return;
    this.#records.push({ name, pid, startedAt: facts.startedAt, command: facts.command });
    this.#write();
  }

  /** Forgets a child that has ended. */
  remove(pid: number): void {
    this.#records = this.#records.filter((record) => record.pid !== pid);
    this.#write();
  }

  /**
   * Ends every noted process that is verifiably the one that was noted, and forgets all of them. The caller holds the
   * lock on the data folder.
   *
   * @returns the names of those that were ended
   */
  async reap(): Promise<string[]> {
    const ours = this.#read().filter((record) => isSameProcess(record, processFacts(record.pid)));
    await Promise.all(ours.map(endLeftover));
    this.#records = [];
    this.#write();
    return ours.map((record) => record.name);
  }

  #read(): ChildRecord[] {
    if (!existsSync(this.#file)) return [];
    try {
      return z.array(recordSchema).parse(JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch {
      return [];
    }
  }

  #write(): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#records, null, 2), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

async function endLeftover(record: ChildRecord): Promise<void> {
  const lives = () => isSameProcess(record, processFacts(record.pid));
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!lives()) return;
    process.kill(record.pid, signal);
    for (const deadline = Date.now() + PATIENCE_MS; lives() && Date.now() < deadline; ) await sleep(50);
  }
}
