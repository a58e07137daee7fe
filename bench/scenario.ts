import { z } from 'zod';

/** One measured figure beside its bound, both taken in the same run on the same machine. */
export const ScenarioResult = z.object({
  name: z.string(),
  figure: z.number(),
  unit: z.string(),
  /** What the figure is measured against; null where the target is absolute. */
  bound: z.number().nullable(),
  /** figure / bound, or figure / target where there is no bound. */
  ratio: z.number(),
  target: z.string(),
  met: z.boolean(),
  /** Largest resident memory of the process under test, in MB. */
  memoryMb: z.number().nullable(),
  /** Further figures, for people. */
  notes: z.array(z.string()).optional(),
});
export type ScenarioResult = z.infer<typeof ScenarioResult>;

/** A scenario measures one promise of the product; it starts and stops what it needs. */
export interface Scenario {
  name: string;
  run(tell: (line: string) => void): Promise<ScenarioResult[]>;
}
