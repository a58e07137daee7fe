import { env } from '@/lib/config/env';
import type { Venue } from '../venue';
import { binanceVenue } from './binance';
import { krakenVenue } from './kraken';

/** The venues that this instance asks, at the addresses it is configured with. */
export function configuredVenues(): Venue[] {
  return [krakenVenue(env().KRAKEN_URL), binanceVenue(env().BINANCE_URL)];
}
