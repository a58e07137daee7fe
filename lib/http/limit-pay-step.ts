import { headers } from 'next/headers';
import { env } from '@/lib/config/env';
import { webDatabase } from '@/lib/db/web-database';
import { clientAddress } from './client-address';
import { consumeLimits } from './rate-limit';
import { RATE_LIMITS } from './rate-limits';

/** Counts a form of the pay page against the limit that its API calls share. @throws AppError too_many_requests */
export async function limitPayStep(): Promise<void> {
  const key = clientAddress(await headers(), env().TRUSTED_PROXIES);
  await consumeLimits(webDatabase(), [{ limit: RATE_LIMITS.payByAddress, key }], new Headers());
}
