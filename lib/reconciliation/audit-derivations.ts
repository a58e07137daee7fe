import { setImmediate as breathe } from 'node:timers/promises';
import { addressCodec } from '@/lib/chains/registry';
import type { Database } from '@/lib/db/database';
import { Findings, MOST_LISTED } from '@/lib/ledger/findings';
import { describeOwner } from './balance-repository';
import { type DerivedAddress, selectDerivations } from './derivation-repository';

/** So many are read at a time: 0.3 to 0.7 ms each to derive. */
const PAGE = 500;

export interface DerivationAudit {
  findings: Findings;
  /** The last address that was looked at: the next audit goes on after it. */
  upToId: bigint;
  addressCount: number;
}

/**
 * Derives addresses of the pool again from the published keys and compares: an address that a key does not give, whoever wrote
 * it, receives money that nobody can spend, or somebody else. Of all chains at once.
 * @param afterId the id to go on after, 0 from the beginning
 * @param limit at most so many; null for all
 */
export async function auditDerivations(
  db: Pick<Database, 'pool'>,
  { afterId, limit, signal }: { afterId: bigint; limit: number | null; signal: AbortSignal },
): Promise<DerivationAudit> {
  const audit = { findings: new Findings(), upToId: afterId, addressCount: 0 };
  for (;;) {
    const left = limit === null ? PAGE : Math.min(PAGE, limit - audit.addressCount);
    const page = left > 0 ? await selectDerivations(db.pool, audit.upToId, left) : [];
    for (const row of page) {
      signal.throwIfAborted();
      const derived = derivedFrom(row);
      if (derived !== row.address) await note(db, audit.findings, row, derived);
      audit.upToId = row.id;
      audit.addressCount += 1;
      if (audit.addressCount % 10 === 0) await breathe();
    }
    if (page.length === 0) return audit;
  }
}

/** @returns the address, or why there is none: a key that cannot be read is a difference too */
function derivedFrom({ family, publicKey, derivationIndex }: DerivedAddress): string {
  try {
    return addressCodec(family).derive(publicKey, derivationIndex);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function note(
  db: Pick<Database, 'pool'>,
  findings: Findings,
  { id, address }: DerivedAddress,
  derived: string,
): Promise<void> {
  const owner = findings.listed.length < MOST_LISTED ? ` ${await describeOwner(db.pool, null, id)}` : '';
  findings.add({
    kind: 'derivation',
    subject: `derivation of address ${address}${owner}`,
    expected: derived,
    actual: address,
    units: 0n,
  });
}
