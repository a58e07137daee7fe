import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findForkPoint } from './find-fork-point';

test('the fork is the highest block still on the chain, found in at most ten questions for 512 blocks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(512), fc.nat(512), async (count, common) => {
      const stored = Array.from({ length: count }, (_, index) => index);
      let questions = 0;
      const fork = await findForkPoint(stored, async (block) => {
        questions += 1;
        return block < common;
      });
      expect(fork).toBe(stored.slice(0, common).at(-1) ?? null);
      expect(questions).toBeLessThanOrEqual(10);
    }),
  );
});

test('a node that cannot answer stops the search', async () => {
  const mute = () => Promise.reject(new Error('missing'));
  await expect(findForkPoint([1, 2], mute)).rejects.toThrow('missing');
});
