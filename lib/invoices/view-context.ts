import { addressCodec } from '@/lib/chains/registry';
import { publicUrl } from '@/lib/config/env';
import { COIN_INFO } from '@/lib/shared/coins';
import type { ViewContext } from './view';

/** How this instance shows invoices at a moment. */
export function viewContext(now: Date): ViewContext {
  return {
    now,
    publicUrl: publicUrl(),
    displayAddress: (coin, canonical) => addressCodec(COIN_INFO[coin].family).display(canonical),
  };
}
