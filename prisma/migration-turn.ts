import pg from 'pg';

/** Any number that nothing else uses: names the lock under which one migration runs at a time. */
const LOCK = 4_027_411;

/** PostgreSQL's SQLSTATE for a lock that did not come free in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Waits until no other migration runs; the turn ends with the connection.
 *
 * @param client a connection to the database `postgres`, the same for all
 * @throws {Error} with one sentence when the turn does not come within `patienceSeconds`
 */
export async function takeTurn(client: pg.Client, patienceSeconds: number): Promise<void> {
  try {
    await client.query(`SET lock_timeout = '${patienceSeconds}s'`);
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query('RESET lock_timeout');
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    throw new Error(
      `Another migration, or somebody else who took its lock (advisory lock ${LOCK} in the database postgres, see pg_locks), did not end within ${patienceSeconds} s: try again when it has.`,
    );
  }
}
