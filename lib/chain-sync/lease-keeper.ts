import { randomUUID } from 'node:crypto';
import type { Database } from '@/lib/db/database';
import type { Chain } from '@/lib/shared/chains';
import type { Lease } from './lease';
import { extendLease, insertCursor, takeFreeLease } from './lease-repository';

/** A dead watcher's chain is taken over after this long. */
const LEASE_TTL_MS = 5_000;

/**
 * Takes the right to read a chain, if nobody holds it. Several watchers may ask; one gets it.
 * @param request.ttlMs milliseconds after which another may take the lease over unless it is renewed
 * @param request.confirmations that people are told to wait for, kept beside the cursor
 * @returns null while another holds the lease
 */
export async function takeLease(
  db: Database,
  request: { chain: Chain; owner: string; ttlMs: number; confirmations: number },
): Promise<Lease | null> {
  await insertCursor(db.pool, request.chain);
  const token = await takeFreeLease(db.pool, request);
  return token === null ? null : { chain: request.chain, owner: request.owner, token };
}

export interface LeaseKeeperOptions {
  db: Database;
  chain: Chain;
  confirmations: number;
  ttlMs?: number;
}

/**
 * Holds a chain's lease: takes it when it is free and renews it three times per term, also while a slow node is being read,
 * so that another watcher takes over from a dead process but never from a busy one.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #ttlMs: number;
  readonly #owner = randomUUID();
  #lease: Lease | null = null;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#ttlMs = options.ttlMs ?? LEASE_TTL_MS;
  }

  /** The lease that this process holds, taken now if it is free; null while another process holds it. */
  async hold(): Promise<Lease | null> {
    if (this.#lease) return this.#lease;
    const { db, chain, confirmations } = this.#options;
    this.#lease = await takeLease(db, { chain, confirmations, owner: this.#owner, ttlMs: this.#ttlMs });
    if (this.#lease) this.#heartbeat = setInterval(() => void this.#renew(), this.#ttlMs / 3).unref();
    return this.#lease;
  }

  /** Forgets a lease that is lost. */
  drop(): void {
    clearInterval(this.#heartbeat);
    this.#lease = null;
  }

  /** Gives the lease back, so that the next watcher need not wait. A newer one is left alone. */
  async release(): Promise<void> {
    const lease = this.#lease;
    this.drop();
    if (lease) await extendLease(this.#options.db.pool, lease, 0);
  }

  async #renew(): Promise<void> {
    const lease = this.#lease;
    if (!lease) return;
    // A database that does not answer now may answer the next time; what is lost shows at the next write anyway.
    const isOurs = await extendLease(this.#options.db.pool, lease, this.#ttlMs).catch(() => true);
    if (!isOurs && this.#lease === lease) this.drop();
  }
}
