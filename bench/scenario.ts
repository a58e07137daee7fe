/** One measured figure beside its bound, both taken in the same run on the same machine. */
export interface ScenarioResult {
  name: string;
  figure: number;
  unit: string;
  /** What the figure is measured against; null where the target is absolute. */
  bound: number | null;
  /** figure / bound, or figure / target where there is no bound. */
  ratio: number;
  target: string;
  met: boolean;
  /** Largest resident memory of the process under test, in MB. */
  memoryMb: number | null;
  /** Further figures, for people. */
  notes?: string[];
}

/** A scenario measures one promise of the product; it starts and stops what it needs. */
export interface Scenario {
  name: string;
  run(tell: (line: string) => void): Promise<ScenarioResult[]>;
}
