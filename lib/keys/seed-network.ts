import type { Env } from '@/lib/config/env';

/** Which seed an instance uses: test coins and real coins never share one. */
export function seedNetwork({ chains }: Pick<Env, 'chains'>): 'devnet' | 'mainnet' {
  return Object.values(chains).some(({ settings }) => settings.isDevnet) ? 'devnet' : 'mainnet';
}
