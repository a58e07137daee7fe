import type { AsyncCommand } from 'fast-check';
import type { Memory } from './memory';
import type { World } from './world';

export type Step = AsyncCommand<Memory, World>;

/**
 * A command of the model run: something happens, then everything is inspected.
 * @param isPossible whether it can happen now; it is left out otherwise
 */
export function step<Args extends object>(
  name: string,
  args: Args,
  happen: (world: World, memory: Memory) => Promise<unknown>,
  isPossible: (memory: Readonly<Memory>) => boolean = () => true,
): Step {
  return {
    check: isPossible,
    run: async (memory, world) => {
      memory.steps += 1;
      await happen(world, memory);
      await world.inspect(memory);
    },
    toString: () =>
      `${name}(${Object.entries(args)
        .map(([key, value]) => `${key}: ${String(value)}`)
        .join(', ')})`,
  };
}
