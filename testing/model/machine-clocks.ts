import { addSeconds, type Clock } from '@/lib/shared/time';

/** Processes that look at a clock, each on a machine of its own. */
export type ClockedRole = 'web' | 'watcher' | 'dispatcher';

/** How far the clock of every machine, or of each role's, is from the chain's, in seconds; negative is behind. */
export type ClockSkew = number | Readonly<Record<ClockedRole, number>>;

/** The skew of each role. */
export function skewOfRoles(skew: ClockSkew): Readonly<Record<ClockedRole, number>> {
  return typeof skew === 'number' ? { web: skew, watcher: skew, dispatcher: skew } : skew;
}

/** The time as each process sees it. */
export function machineClocks(world: Clock, skew: ClockSkew): Readonly<Record<ClockedRole, Clock>> {
  const of = skewOfRoles(skew);
  const clock = (role: ClockedRole) => () => addSeconds(world(), of[role]);
  return { web: clock('web'), watcher: clock('watcher'), dispatcher: clock('dispatcher') };
}
