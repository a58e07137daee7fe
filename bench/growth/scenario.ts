import { closeDatabase, openDatabase } from '@/lib/db/database';
import { makeCursor } from '@/testing/factories';
import { fillTables, type TableSizes } from '@/testing/large-tables';
import { type BenchDatabase, startBenchDatabase } from '../bench-database';
import type { Scenario, ScenarioResult } from '../scenario';
import { MEASURES } from './measures';
import type { Measured } from './reconciliation';

const SMALL: TableSizes = { invoices: 1_000, addresses: 5_000 };
/** A shop with 270 orders a day after a year, on an instance with half a million addresses; three deliveries to an order. */
const LARGE: TableSizes = { invoices: 100_000, addresses: 500_000 };

/** Less than this is noise: no ratio is made of it. */
const NOISE_MS = 1;
/** What is flat may cost so many times what it does on small tables: their pages are all in the processor's cache. */
const FLAT = 4;

/**
 * What the product's statements cost when its tables have grown, against the same on small ones. `flat` ones must not follow the tables;
 * `linear` ones follow one merchant's own rows, or are a comparison that nobody waits for, and have a limit of their own.
 */
export const growth: Scenario = {
  name: 'growth',
  async run(tell) {
    const server = await startBenchDatabase();
    try {
      const small = await measureAll(server, 'growth_small', SMALL, tell);
      const large = await measureAll(server, 'growth_large', LARGE, tell);
      return MEASURES.map(({ name, limit }, index) => toResult(name, limit, small[index], large[index]));
    } finally {
      await server.stop();
    }
  },
};

async function measureAll(
  server: BenchDatabase,
  name: string,
  sizes: TableSizes,
  tell: (line: string) => void,
): Promise<Measured[]> {
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const superuser = openDatabase(server.superuserUrl, { max: 1, applicationName: 'bench' });
  const { pathname, username } = new URL(server.ownerUrl);
  await superuser.pool.query(`CREATE DATABASE ${name} TEMPLATE "${pathname.slice(1)}" OWNER "${username}"`);
  await closeDatabase(superuser);
  const begun = performance.now();
  const filled = await fillTables(at(server.superuserUrl), sizes);
  tell(`${name}: filled in ${Math.round((performance.now() - begun) / 1000)} s`);
  const owner = openDatabase(at(server.ownerUrl), { max: 4, applicationName: 'bench' });
  try {
    await makeCursor(owner.pool, { height: 1_000_000n });
    const measured: Measured[] = [];
    for (const { name: what, run } of MEASURES) {
      measured.push(await run(owner, filled));
      tell(`${name}: ${what} ${JSON.stringify(measured.at(-1))}`);
    }
    return measured;
  } finally {
    await closeDatabase(owner);
  }
}

function toResult(
  name: string,
  limit: 'flat' | number,
  small: Measured = { ms: 0, notes: [] },
  large: Measured = { ms: 0, notes: [] },
): ScenarioResult {
  const round = (value: number) => Number(value.toFixed(2));
  const ratio = round(large.ms / Math.max(small.ms, NOISE_MS));
  return {
    name: `growth: ${name}`,
    figure: round(large.ms),
    unit: 'ms',
    bound: round(small.ms),
    ratio,
    target: limit === 'flat' ? `<= ${FLAT} times small tables` : `<= ${limit} ms, grows with what it reads`,
    met: limit === 'flat' ? ratio <= FLAT : large.ms <= limit,
    memoryMb: large.memoryMb ?? null,
    notes: large.notes,
  };
}
