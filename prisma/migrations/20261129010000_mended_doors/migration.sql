-- Written by hand: what the schema language cannot say.

-- What takes the place of a credit keeps its audit line and, where an operator gave the credit to a wallet, that wallet.
GRANT INSERT ON "deposit_credit" TO "incassa_watcher";
GRANT SELECT ON "deposit_credit" TO "incassa_watcher";
GRANT USAGE ON SEQUENCE "deposit_credit_id_seq" TO "incassa_watcher";
GRANT EXECUTE ON FUNCTION "attach_deposit" TO "incassa_watcher";

-- AlterTable: under which run of the server a dispatcher last found the pool to be the one it knows.
ALTER TABLE "pool_home" ADD COLUMN     "confirmed_start" TIMESTAMPTZ(6);
-- An instance that is migrated lies where it should.
UPDATE "pool_home" SET "confirmed_start" = pg_postmaster_start_time() WHERE "location" IS NOT NULL;

-- A data folder that was put back lies where it did: only a witness outside tells it from the one before, and only a dispatcher
-- hears the witness. It cannot be put back under a server that runs, so after each start everything waits for that.
CREATE FUNCTION "is_pool_held"() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT "is_restore_pending"() OR coalesce((SELECT h."confirmed_start" <> pg_postmaster_start_time() FROM "pool_home" h), false)
$$;
CREATE OR REPLACE FUNCTION "hold_claims"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN CASE WHEN "is_pool_held"() THEN NULL ELSE NEW END;
END $$;
CREATE OR REPLACE FUNCTION "hold_cursor"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT "is_pool_held"() THEN RETURN NEW; END IF;
  IF NEW."height" IS DISTINCT FROM OLD."height" OR NEW."hash" IS DISTINCT FROM OLD."hash" THEN
    RAISE EXCEPTION 'the database was restored, or nobody looked yet: % is read on when its addresses are safe', OLD."chain"
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NULL;
END $$;

-- Says that the witness was heard, and what it said is settled.
CREATE FUNCTION "confirm_pool"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM 1 FROM "pool_home" FOR UPDATE;
  IF "is_restore_pending"() THEN RETURN; END IF;
  UPDATE "pool_home" SET "confirmed_start" = pg_postmaster_start_time();
END $$;

-- The data has its place from the first key on: from then on there are addresses that a backup may forget.
CREATE FUNCTION "note_home"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM "settle_pool"();
  RETURN NULL;
END $$;
CREATE TRIGGER "watch_key_has_home" AFTER INSERT ON "watch_key" FOR EACH STATEMENT EXECUTE FUNCTION "note_home"();
CREATE OR REPLACE FUNCTION "settle_pool"() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE "pool_home" SET "location" = "data_location"(), "confirmed_start" = pg_postmaster_start_time() WHERE "location" IS NULL
$$;

-- Whoever fills the pool when a restore begins did not know of it: what it adds is burned like all the others.
CREATE FUNCTION "burn_while_restored"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF "is_restore_pending"() THEN
    NEW."claimed_at" := now();
    NEW."burned_at" := now();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "pool_address_burned_while_restored" BEFORE INSERT ON "pool_address"
  FOR EACH ROW WHEN (NEW."burned_at" IS NULL) EXECUTE FUNCTION "burn_while_restored"();

-- As before; it waits for whoever is adding a generation, and whoever adds one waits for it.
CREATE OR REPLACE FUNCTION "begin_restore"("why" text, "at_least" integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "home" "pool_home"%ROWTYPE;
  "here" text := "data_location"();
  "known" timestamptz;
  "restore" bigint;
BEGIN
  PERFORM "refuse_old_snapshot"();
  PERFORM 1 FROM "pool_generation" g ORDER BY g."family" FOR UPDATE;
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

-- As before; whatever is free in a window when it ends, however it came there, is burned first.
CREATE OR REPLACE FUNCTION "finish_restore"("of_restore" bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "window" "pool_burn"%ROWTYPE;
BEGIN
  PERFORM "refuse_old_snapshot"();
  PERFORM 1 FROM "pool_generation" g ORDER BY g."family" FOR UPDATE;
  PERFORM 1 FROM "pool_home" h WHERE h."restore_id" = "of_restore" AND h."location" = "data_location"() FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM 1 FROM "pool_burn" b WHERE b."restore_id" = "of_restore" AND b."through_index" > coalesce(
    (SELECT max(p."derivation_index") FROM "pool_address" p WHERE p."watch_key_id" = b."watch_key_id"), -1);
  IF FOUND THEN RETURN false; END IF;
  FOR "window" IN SELECT * FROM "pool_burn" b WHERE b."restore_id" = "of_restore" LOOP
    UPDATE "pool_address" p SET "claimed_at" = now(), "burned_at" = now()
      WHERE p."watch_key_id" = "window"."watch_key_id" AND p."claimed_at" IS NULL
        AND p."derivation_index" > "window"."after_index" AND p."derivation_index" <= "window"."through_index";
  END LOOP;
  UPDATE "pool_restore" SET "finished_at" = now() WHERE "id" = "of_restore";
  UPDATE "pool_home" SET "restore_id" = NULL, "confirmed_start" = pg_postmaster_start_time();
  UPDATE "chain_cursor" SET "lease_token" = "lease_token" + 1, "lease_owner" = NULL, "lease_expires_at" = NULL, "loaded_generation" = 0;
  RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION "is_pool_held", "confirm_pool", "note_home", "burn_while_restored" FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "confirm_pool" TO "incassa_dispatcher";
GRANT SELECT, UPDATE ("generation") ON "pool_generation" TO "incassa_functions";
GRANT UPDATE ("confirmed_start") ON "pool_home" TO "incassa_functions";
GRANT CREATE ON SCHEMA "public" TO "incassa_functions";
ALTER FUNCTION "is_pool_held" OWNER TO "incassa_functions";
ALTER FUNCTION "confirm_pool" OWNER TO "incassa_functions";
ALTER FUNCTION "note_home" OWNER TO "incassa_functions";
ALTER FUNCTION "burn_while_restored" OWNER TO "incassa_functions";
REVOKE CREATE ON SCHEMA "public" FROM "incassa_functions";
