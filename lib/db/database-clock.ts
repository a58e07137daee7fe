import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@/lib/logging/logger';
import type { Clock } from '@/lib/shared/time';
import type { Database } from './database';
import { statement } from './statement';

const REFRESH_MS = 5_000;
/** Until the first measurement succeeds. */
const RETRY_MS = 500;
/** A request that finds no time waits for a measurement this long, then is refused: load balancers wait two seconds. */
const READY_MS = 1_000;
/** The best of so many measurements, of the last 40 seconds, counts. */
const KEPT = 8;
/** What rounding, and two quartz clocks in that time, may add to a measurement's own uncertainty. */
const TOLERANCE_MS = 5;
/** So far apart the machine's two clocks never run between two measurements: one was set, or one stood still. */
const DOUBT_MS = 500;

const READ = statement<Record<string, never>, { ms: string | bigint }>(
  'db.clock',
  'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms',
);

/** What a machine has to measure with. */
export interface MachineTime {
  /** Milliseconds since whenever; nobody can set it. */
  monotonicMs(): number;
  /** The machine's own time, in milliseconds since 1970: never believed, only watched for jumps. */
  wallMs(): number;
}

const MACHINE: MachineTime = { monotonicMs: () => performance.now(), wallMs: () => Date.now() };

interface Measurement {
  /** Database time minus the monotonic clock. */
  offsetMs: number;
  /** How long the answer took: the offset is right to within half of it. */
  roundTripMs: number;
  monotonicMs: number;
  wallMs: number;
}

/** Nobody knows what time it is, because the database has not said it. Its class of SQLSTATE (08) says: the database is down. */
export class DatabaseTimeUnknown extends Error {
  readonly code = '08001';

  constructor() {
    super('The time of the database is not known yet.');
    this.name = 'DatabaseTimeUnknown';
  }
}

/**
 * The database's time, told without asking for it: each measurement pairs `clock_timestamp()` with this machine's monotonic
 * clock, the one with the shortest way there and back is used, and the monotonic clock carries it on. So processes on
 * machines whose clocks differ, or are set while they run, all decide by one clock.
 */
export class DatabaseClock {
  readonly #db: Pick<Database, 'pool'>;
  readonly #machine: MachineTime;
  #measurements: Measurement[] = [];
  #measuring: Promise<void> | null = null;

  constructor(db: Pick<Database, 'pool'>, machine = MACHINE) {
    this.#db = db;
    this.#machine = machine;
  }

  /** The database's time now. @throws DatabaseTimeUnknown before the first measurement */
  readonly now: Clock = () => {
    const best = this.#best();
    if (!best) throw new DatabaseTimeUnknown();
    return new Date(this.#machine.monotonicMs() + best.offsetMs);
  };

  /** Measures once; calls at the same time share one. @throws the database's error */
  measure(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = null;
    });
    return this.#measuring;
  }

  /**
   * For a process that serves requests, before each: measures first where no time is known, or where the machine slept or
   * its clock was set since. Waits a second at most; without an answer the time is unknown afterwards. Never rejects.
   */
  async ready(): Promise<void> {
    if (this.#isTrusted()) return;
    this.#measurements = [];
    await Promise.race([this.measure().catch(() => undefined), sleep(READY_MS, undefined, { ref: false })]);
  }

  /**
   * Measures every few seconds, and when a connection is opened (it may lead to another server), until the signal aborts.
   * @returns when the time is known, or the signal has aborted
   */
  async keep(signal: AbortSignal, logger: Pick<Logger, 'warn'>): Promise<void> {
    const { pool } = this.#db;
    const refresh = () => (signal.aborted || pool.ended ? Promise.resolve() : this.measure().catch(() => undefined));
    pool.on('connect', () => void refresh());
    const timer = setInterval(refresh, REFRESH_MS).unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        return await this.measure();
      } catch (error) {
        if (failures === 0) logger.warn({ err: error }, 'waiting for the time of the database');
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #measure(): Promise<void> {
    const client = await this.#db.pool.connect();
    let broken: unknown;
    try {
      const sentMs = this.#machine.monotonicMs();
      const { ms } = await READ.one(client, {});
      const monotonicMs = this.#machine.monotonicMs();
      const roundTripMs = monotonicMs - sentMs;
      const offsetMs = Number(ms) - (sentMs + monotonicMs) / 2;
      this.#keepBest({ offsetMs, roundTripMs, monotonicMs, wallMs: this.#machine.wallMs() });
    } catch (error) {
      broken = error;
      throw error;
    } finally {
      client.release(broken !== undefined);
    }
  }

  /** A measurement that contradicts what is known says that the database's clock was set, or that it is another server. */
  #keepBest(newest: Measurement): void {
    const best = this.#best();
    const isNews = best && Math.abs(best.offsetMs - newest.offsetMs) > uncertaintyMs(best) + uncertaintyMs(newest);
    this.#measurements = isNews ? [newest] : [...this.#measurements.slice(1 - KEPT), newest];
  }

  #best(): Measurement | undefined {
    return this.#measurements.reduce<Measurement | undefined>(
      (best, one) => (best && best.roundTripMs < one.roundTripMs ? best : one),
      undefined,
    );
  }

  #isTrusted(): boolean {
    const last = this.#measurements.at(-1);
    if (!last) return false;
    const [monotonic, wall] = [this.#machine.monotonicMs() - last.monotonicMs, this.#machine.wallMs() - last.wallMs];
    return Math.abs(wall - monotonic) < DOUBT_MS;
  }
}

/**
 * A process's clock, running until the signal aborts.
 * @returns it when the database's time is known: nothing that decides may begin before (or when the signal has aborted)
 */
export async function startDatabaseClock(
  db: Pick<Database, 'pool'>,
  { signal, logger }: { signal: AbortSignal; logger: Pick<Logger, 'warn'> },
): Promise<Clock> {
  const clock = new DatabaseClock(db);
  await clock.keep(signal, logger);
  return clock.now;
}

function uncertaintyMs({ roundTripMs }: Measurement): number {
  return roundTripMs / 2 + TOLERANCE_MS;
}
