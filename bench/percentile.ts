/** The value below which a share of the samples lies (nearest rank). @throws RangeError without samples */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('No samples.');
  return value;
}
