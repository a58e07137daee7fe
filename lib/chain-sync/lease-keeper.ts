import { randomUUID } from 'node:crypto';
import { releaseLease } from '@/lib/chain-sync/release-lease';
import { renewLease } from '@/lib/chain-sync/renew-lease';
import { takeLease } from '@/lib/chain-sync/take-lease';
import type { Database } from '@/lib/db/database';
import type { Lease } from '@/lib/deposits/types';
import type { Coin } from '@/lib/shared/coins';

/** A dead watcher's coin is taken over after this long. */
const LEASE_TTL_MS = 5_000;

export interface LeaseKeeperOptions {
  db: Database;
  coin: Coin;
  confirmations: number;
  ttlMs?: number;
}

/**
 * Holds a coin's lease: takes it when it is free and renews it three times per term, also while a slow node is being read,
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
    const { db, coin, confirmations } = this.#options;
    this.#lease = await takeLease(db, { coin, confirmations, owner: this.#owner, ttlMs: this.#ttlMs });
    if (this.#lease) this.#heartbeat = setInterval(() => void this.#renew(), this.#ttlMs / 3).unref();
    return this.#lease;
  }

  /** Forgets a lease that is lost. */
  drop(): void {
    clearInterval(this.#heartbeat);
    this.#lease = null;
  }

  /** Gives the lease back, so that the next watcher need not wait. */
  async release(): Promise<void> {
    const lease = this.#lease;
    this.drop();
    if (lease) await releaseLease(this.#options.db, lease);
  }

  async #renew(): Promise<void> {
    const lease = this.#lease;
    if (!lease) return;
    // A database that does not answer now may answer the next time; what is lost shows at the next write anyway.
    const isOurs = await renewLease(this.#options.db, lease, this.#ttlMs).catch(() => true);
    if (!isOurs && this.#lease === lease) this.drop();
  }
}
