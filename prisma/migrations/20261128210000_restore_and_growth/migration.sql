-- AlterTable
ALTER TABLE "pool_address" ADD COLUMN     "burned_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "pool_home" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "location" TEXT,
    "restore_id" BIGINT,

    CONSTRAINT "pool_home_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pool_restore" (
    "id" BIGSERIAL NOT NULL,
    "reason" TEXT NOT NULL,
    "former_location" TEXT,
    "location" TEXT NOT NULL,
    "known_at" TIMESTAMPTZ(3) NOT NULL,
    "found_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "pool_restore_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pool_burn" (
    "restore_id" BIGINT NOT NULL,
    "watch_key_id" INTEGER NOT NULL,
    "after_index" INTEGER NOT NULL,
    "through_index" INTEGER NOT NULL,

    CONSTRAINT "pool_burn_pkey" PRIMARY KEY ("restore_id","watch_key_id")
);

-- AddForeignKey
ALTER TABLE "pool_home" ADD CONSTRAINT "pool_home_restore_id_fkey" FOREIGN KEY ("restore_id") REFERENCES "pool_restore"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pool_burn" ADD CONSTRAINT "pool_burn_restore_id_fkey" FOREIGN KEY ("restore_id") REFERENCES "pool_restore"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pool_burn" ADD CONSTRAINT "pool_burn_watch_key_id_fkey" FOREIGN KEY ("watch_key_id") REFERENCES "watch_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



-- Written by hand from here on: what the schema language cannot say.

ALTER TABLE "pool_home" ADD CONSTRAINT "pool_home_one_row" CHECK ("id" = 1);
ALTER TABLE "pool_restore" ADD CONSTRAINT "pool_restore_reason" CHECK ("reason" IN ('location', 'witness', 'operator', 'words'));
ALTER TABLE "pool_burn" ADD CONSTRAINT "pool_burn_forward" CHECK ("through_index" >= "after_index");
-- What is burned can be claimed by nobody: it counts as taken.
ALTER TABLE "pool_address" ADD CONSTRAINT "pool_address_burned_is_taken" CHECK ("burned_at" IS NULL OR "claimed_at" IS NOT NULL);

-- Where this very data lies: the cluster, its line of history, the database, and a table of it. A dump that is loaded, a copy of
-- the database and a recovery to a point in time each change a part of it; what changes none (a copied data folder, a machine's
-- snapshot) needs a witness outside.
CREATE FUNCTION "data_location"() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT concat_ws('/', (SELECT s.system_identifier FROM pg_control_system() s),
    CASE WHEN pg_is_in_recovery() THEN 'recovery' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END,
    (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()), 'public.pool_home'::regclass::oid)
$$;

-- Is this a restored database whose pool is not safe again yet?
CREATE FUNCTION "is_restore_pending"() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce((SELECT h."restore_id" IS NOT NULL OR h."location" <> "data_location"() FROM "pool_home" h), false)
$$;

-- Until then no address is given away, whoever asks: to a caller the pool is dry.
CREATE FUNCTION "hold_claims"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN CASE WHEN "is_restore_pending"() THEN NULL ELSE NEW END;
END $$;
CREATE TRIGGER "pool_address_claims_held" BEFORE UPDATE OF "claimed_at" ON "pool_address"
  FOR EACH ROW WHEN (NEW."burned_at" IS NULL AND OLD."claimed_at" IS NULL) EXECUTE FUNCTION "hold_claims"();

-- And no chain is read on: the addresses that the backup forgot must be watched before the blocks come in which they were paid.
-- A watcher gets no lease; one that kept a lease through the restore has lost it. What would move a cursor fails as a whole.
CREATE FUNCTION "hold_cursor"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT "is_restore_pending"() THEN RETURN NEW; END IF;
  IF NEW."height" IS DISTINCT FROM OLD."height" OR NEW."hash" IS DISTINCT FROM OLD."hash" THEN
    RAISE EXCEPTION 'the database was restored: % is read on when its addresses are safe', OLD."chain"
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "chain_cursor_held" BEFORE UPDATE ON "chain_cursor" FOR EACH ROW EXECUTE FUNCTION "hold_cursor"();

-- Notes where the data lies, once, before the first address is made. What was restored later is known by it.
CREATE FUNCTION "settle_pool"() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE "pool_home" SET "location" = "data_location"() WHERE "location" IS NULL
$$;

-- Begins a restore: burns every address that was free, and writes down for each key up to which index more will be burned. A
-- backup does not know what was issued after it, so the window has "at_least" indexes (a tenth for keys that issue little), and
-- three times what was issued in the time since the backup at the faster of its last day's and last week's rate; 200,000 at most.
-- "location": only if the data lies elsewhere than it did. False when there is nothing to do, or it is under way.
CREATE FUNCTION "begin_restore"("why" text, "at_least" integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "home" "pool_home"%ROWTYPE;
  "here" text := "data_location"();
  "known" timestamptz;
  "restore" bigint;
BEGIN
  PERFORM "refuse_old_snapshot"();
  SELECT * INTO STRICT "home" FROM "pool_home" FOR UPDATE;
  IF "home"."location" IS NOT DISTINCT FROM "here" AND ("why" = 'location' OR "home"."restore_id" IS NOT NULL) THEN RETURN false; END IF;
  IF "home"."location" IS NULL AND "why" = 'location' THEN RETURN false; END IF;
  SELECT greatest((SELECT max(c."updated_at") FROM "chain_cursor" c),
      (SELECT max(p."claimed_at") FROM "pool_address" p WHERE p."burned_at" IS NULL)) INTO "known";
  "known" := least(coalesce("known", now()), now());
  INSERT INTO "pool_restore" ("reason", "former_location", "location", "known_at")
    VALUES ("why", "home"."location", "here", "known") RETURNING "id" INTO "restore";
  UPDATE "pool_home" SET "location" = "here", "restore_id" = "restore";
  UPDATE "pool_address" SET "claimed_at" = now(), "burned_at" = now() WHERE "claimed_at" IS NULL;
  INSERT INTO "pool_burn" ("restore_id", "watch_key_id", "after_index", "through_index")
    SELECT "restore", k."id", m."top", m."top" + least(200000,
      CASE WHEN k."purpose" = 'invoice' AND k."merchant_id" IS NULL THEN "at_least" ELSE ceil("at_least" / 10.0) END
      + ceil(3 * greatest(m."last_day", m."last_week" / 7.0) * extract(epoch FROM now() - "known") / 86400))::integer
    FROM "watch_key" k CROSS JOIN LATERAL (
      SELECT coalesce(max(p."derivation_index"), -1) AS "top",
        count(*) FILTER (WHERE p."burned_at" IS NULL AND p."claimed_at" > "known" - interval '1 day') AS "last_day",
        count(*) FILTER (WHERE p."burned_at" IS NULL AND p."claimed_at" > "known" - interval '7 days') AS "last_week"
      FROM "pool_address" p WHERE p."watch_key_id" = k."id"
    ) m;
  RETURN true;
END $$;

-- Ends a restore when every key has burned its window. From then on watchers may read: each takes a new lease, loads every
-- address anew and declares it, and before that nothing can be claimed. False while something is left to burn.
CREATE FUNCTION "finish_restore"("of_restore" bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM "refuse_old_snapshot"();
  PERFORM 1 FROM "pool_home" h WHERE h."restore_id" = "of_restore" AND h."location" = "data_location"() FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM 1 FROM "pool_burn" b WHERE b."restore_id" = "of_restore" AND b."through_index" > coalesce(
    (SELECT max(p."derivation_index") FROM "pool_address" p WHERE p."watch_key_id" = b."watch_key_id"), -1);
  IF FOUND THEN RETURN false; END IF;
  UPDATE "pool_restore" SET "finished_at" = now() WHERE "id" = "of_restore";
  UPDATE "pool_home" SET "restore_id" = NULL;
  UPDATE "chain_cursor" SET "lease_token" = "lease_token" + 1, "lease_owner" = NULL, "lease_expires_at" = NULL, "loaded_generation" = 0;
  RETURN true;
END $$;

-- An instance that has addresses already lies where it should.
INSERT INTO "pool_home" ("location") SELECT CASE WHEN EXISTS (SELECT 1 FROM "pool_address") THEN "data_location"() END;

-- What housekeeping looks for is found without reading what stays.
CREATE INDEX "rate_limit_over" ON "rate_limit" ("expire");
CREATE INDEX "session_idle" ON "session" ("last_seen_at");
CREATE INDEX "api_key_audit_old" ON "api_key_audit" ("at");
CREATE INDEX "watcher_outage_old" ON "watcher_outage" ("ended_at");
CREATE INDEX "invoice_made" ON "invoice" USING brin ("created_at") WITH (pages_per_range = 16);

-- How many invoices a merchant has, of one status or coin, is counted in the index alone, and their order by status lies in it. It
-- takes the place of one that nothing used any more.
DROP INDEX IF EXISTS "invoice_status_coin_expires_at_idx";
CREATE INDEX "invoice_of_merchant" ON "invoice" ("user_id", "status", "id", "coin");
GRANT SELECT, DELETE ON "api_key_audit" TO "incassa_dispatcher";
GRANT DELETE ON "watcher_outage" TO "incassa_dispatcher";

REVOKE EXECUTE ON FUNCTION "data_location", "is_restore_pending", "hold_claims", "hold_cursor", "settle_pool", "begin_restore", "finish_restore" FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "is_restore_pending" TO "incassa_web", "incassa_dispatcher";
GRANT EXECUTE ON FUNCTION "settle_pool", "begin_restore", "finish_restore" TO "incassa_dispatcher";
GRANT EXECUTE ON FUNCTION "begin_restore" TO "incassa_signer";
GRANT SELECT ON "pool_home", "pool_restore", "pool_burn" TO "incassa_dispatcher";
GRANT UPDATE ("through_index") ON "pool_burn" TO "incassa_dispatcher";
GRANT SELECT, UPDATE ("location", "restore_id") ON "pool_home" TO "incassa_functions";
GRANT SELECT, INSERT ("reason", "former_location", "location", "known_at"), UPDATE ("finished_at") ON "pool_restore" TO "incassa_functions";
GRANT SELECT, INSERT ON "pool_burn" TO "incassa_functions";
GRANT USAGE ON SEQUENCE "pool_restore_id_seq" TO "incassa_functions";
GRANT SELECT ON "watch_key" TO "incassa_functions";
GRANT UPDATE ("burned_at") ON "pool_address" TO "incassa_functions";
GRANT UPDATE ("lease_token", "lease_owner", "lease_expires_at", "loaded_generation") ON "chain_cursor" TO "incassa_functions";
GRANT CREATE ON SCHEMA "public" TO "incassa_functions";
DO $$
DECLARE
  "f" text;
BEGIN
  FOREACH "f" IN ARRAY ARRAY['data_location()', 'is_restore_pending()', 'hold_claims()', 'hold_cursor()', 'settle_pool()',
      'begin_restore(text, integer)', 'finish_restore(bigint)'] LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO "incassa_functions"', "f");
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA "public" FROM "incassa_functions";
