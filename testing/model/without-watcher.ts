import { WATCHER_STALE_SECONDS } from '@/lib/shared/limits';
import type { Outage } from './books';
import { setVirtualTime } from './virtual-time';
import type { World } from './world';

/**
 * Nobody looks at the node for a while; then the watcher that may read does.
 * @returns the outage, when it was long enough to be one
 */
export async function beWithoutWatcher(world: World, seconds: number): Promise<Outage | null> {
  const { chain, node, databases } = world;
  const from = chain.clock();
  node.heal();
  chain.advance(seconds);
  const to = chain.clock();
  await setVirtualTime(databases.owner.pool, to);
  await databases.owner.pool.query(`UPDATE chain_cursor SET looked_at = now() - $1 * interval '1 s'`, [seconds]);
  chain.mine();
  await world.catchUp();
  return seconds > WATCHER_STALE_SECONDS ? { from: from.toISOString(), to: to.toISOString() } : null;
}
