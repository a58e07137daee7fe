import { DatabaseClock } from '@/lib/db/database-clock';
import { addSeconds, type Clock } from '@/lib/shared/time';

/** Processes that decide by a clock, each on a machine of its own. */
type ClockedRole = 'web' | 'watcher' | 'dispatcher';

/** How far each machine's clock is from the database's, in seconds; negative is behind. */
export type ClockSkew = Readonly<Record<ClockedRole, number>>;

/** The time as each process sees it: the database's, whatever its own machine says. */
export type ProcessClocks = Readonly<Record<ClockedRole, Clock>>;

export const RIGHT: ClockSkew = { web: 0, watcher: 0, dispatcher: 0 };

/** @param database the database's time, as if it answered at once */
export async function processClocks(database: Clock, skew: ClockSkew): Promise<ProcessClocks> {
  const on = async (skewSeconds: number) => {
    const machine = () => addSeconds(database(), skewSeconds).getTime();
    const client = { query: async () => ({ rows: [{ ms: String(database().getTime()) }] }), release() {} };
    const pool = { connect: async () => client } as unknown as ConstructorParameters<typeof DatabaseClock>[0]['pool'];
    const clock = new DatabaseClock({ pool }, { monotonicMs: machine, wallMs: machine });
    await clock.measure();
    return clock.now;
  };
  const [web, watcher, dispatcher] = [await on(skew.web), await on(skew.watcher), await on(skew.dispatcher)];
  return { web, watcher, dispatcher };
}
