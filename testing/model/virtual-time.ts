import type { Sql } from '@/lib/db/database';

/**
 * The database's clock is not the world's. What it says of an outage, whose length is right, is moved to the world's time at
 * which the watcher found it.
 */
const VIRTUAL_TIME = `
  CREATE TABLE IF NOT EXISTS model_time (now timestamptz NOT NULL);
  CREATE OR REPLACE FUNCTION move_outage() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  DECLARE
    length interval := round(extract(epoch FROM NEW.ended_at - NEW.started_at)) * interval '1 second';
  BEGIN
    SELECT t.now INTO STRICT NEW.ended_at FROM model_time t;
    NEW.started_at := NEW.ended_at - length;
    RETURN NEW;
  END $$;
  CREATE OR REPLACE TRIGGER move_outage BEFORE INSERT ON watcher_outage FOR EACH ROW EXECUTE FUNCTION move_outage();`;

/** Prepares a database of the model for `setVirtualTime`. */
export async function keepVirtualTime(owner: Sql): Promise<void> {
  await owner.query(VIRTUAL_TIME);
  await owner.query('TRUNCATE model_time');
  await owner.query('INSERT INTO model_time VALUES (now())');
}

/** What time it is in the world when the next outage is found. */
export async function setVirtualTime(owner: Sql, now: Date): Promise<void> {
  await owner.query('UPDATE model_time SET now = $1', [now]);
}
