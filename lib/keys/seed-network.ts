import type { Env } from '@/lib/config/env';

/** Which seed an instance uses: test coins and real coins never share one. */
export function seedNetwork(env: Pick<Env, 'ETH_DEVNET'>): 'devnet' | 'mainnet' {
  return env.ETH_DEVNET ? 'devnet' : 'mainnet';
}
