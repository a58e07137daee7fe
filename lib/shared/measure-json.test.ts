import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureJson } from './measure-json';

const depthOf = (value: unknown): number =>
  typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));
const valuesOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 1
    : 1 + Object.values(value).reduce((sum, each) => sum + valuesOf(each), 0);

describe('measureJson', () => {
  it('is exact about depth and never says too few values, for every JSON text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 12 }), fc.constantFrom(undefined, 2), (value, indent) => {
        const measured = measureJson(JSON.stringify(value, null, indent));
        expect(measured.depth).toBe(depthOf(value));
        expect(measured.values).toBeGreaterThanOrEqual(valuesOf(value));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['"[[[["', 0],
    ['"\\"[[[["', 0],
    ['"\\\\"', 0],
    ['["\\\\",[{}]]', 3],
    ['{"[\\"{":["}]"]}', 2],
    ['"[', 0],
    ['"\\', 0],
  ])('sees through strings and escapes: %s is %d deep', (text, depth) => {
    expect(measureJson(text).depth).toBe(depth);
  });

  it('takes a time in proportion to the text, whatever is in it', () => {
    const time = (text: string) => {
      const runs = Array.from({ length: 5 }, () => {
        const startedAt = performance.now();
        measureJson(text);
        return performance.now() - startedAt;
      });
      return Math.min(...runs);
    };
    time('[{"\\,'.repeat(100_000));
    for (const unit of ['[{"\\,', '[', '{"a":', '"\\\\"', '\\"', ','])
      expect(time(unit.repeat(800_000 / unit.length))).toBeLessThan(40 * time(unit.repeat(100_000 / unit.length)) + 5);
  });
});
