import { createHmac } from 'node:crypto';
import type { Database } from '@/lib/db/database';
import { addSeconds, type Clock } from '@/lib/shared/time';
import { deleteOldKnownAddresses, findKnownAddress, upsertKnownAddress } from './repository';

const REMEMBERED_SECONDS = 180 * 24 * 3600;
/** Per account: home, shop, phone, and what the phone's network gave it lately. */
const MOST_ADDRESSES = 20;

/** An account's place. */
interface Place {
  /** In lower case. */
  email: string;
  /** As client-address.ts spells it: IPv4, or the /64 of an IPv6 address. */
  address: string;
  /** Key of the hash under which the place is kept. */
  secret: string;
  clock: Clock;
}

/** Did somebody sign in to this account from this address within the last 180 days? Unknown emails have no address. */
export async function isKnownAddress(db: Database, place: Place): Promise<boolean> {
  const after = addSeconds(place.clock(), -REMEMBERED_SECONDS);
  return (await findKnownAddress.first(db.pool, { addressHash: hashOf(place), after })) !== null;
}

/** Remembers where somebody just signed in; only who knows a password adds a row, and each account has 20 at most. */
export async function rememberAddress(db: Database, userId: number, place: Place): Promise<void> {
  const now = place.clock();
  await upsertKnownAddress.count(db.pool, { addressHash: hashOf(place), userId, seenAt: now });
  const before = addSeconds(now, -REMEMBERED_SECONDS);
  await deleteOldKnownAddresses.count(db.pool, { userId, kept: MOST_ADDRESSES, before });
}

function hashOf({ email, address, secret }: Place): string {
  return createHmac('sha256', secret).update(`known address\n${email}\n${address}`).digest('base64url');
}
