-- Written by hand: what the schema language cannot say.

-- What takes the place of a credit keeps its audit line and, where an operator gave the credit to a wallet, that wallet.
GRANT INSERT ON "deposit_credit" TO "incassa_watcher";
GRANT SELECT ON "deposit_credit" TO "incassa_watcher";
GRANT USAGE ON SEQUENCE "deposit_credit_id_seq" TO "incassa_watcher";
GRANT EXECUTE ON FUNCTION "attach_deposit" TO "incassa_watcher";
-- The operator's command gives with the owner's login: the dispatcher has nothing to give.
REVOKE EXECUTE ON FUNCTION "attach_deposit" FROM "incassa_dispatcher";

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

-- AlterTable: when its money was in the ledger for the first time, whatever a reorg did since.
ALTER TABLE "deposit" ADD COLUMN     "first_posted_at" TIMESTAMPTZ(3);
UPDATE "deposit" SET "first_posted_at" = "posted_at" WHERE "posted_at" IS NOT NULL;

-- As before; money was booked when it was booked first: one that comes back is not new.
CREATE OR REPLACE FUNCTION "invoice_facts"("i" "invoice") RETURNS TABLE (
  "received" numeric, "counted" numeric, "confirmed" numeric, "all_confirmed" numeric, "late" numeric, "takes_late" boolean,
  "until" timestamptz, "chain_time" timestamptz, "same_epoch" boolean
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT coalesce(sum(s."units"), 0), coalesce(sum(s."units") FILTER (WHERE s."counts"), 0),
      coalesce(sum(s."units") FILTER (WHERE s."counts" AND s."is_confirmed"), 0),
      coalesce(sum(s."units") FILTER (WHERE s."is_confirmed"), 0),
      coalesce(sum(s."units") FILTER (WHERE NOT s."is_in_time"), 0),
      coalesce(bool_or(s."counts" AND NOT s."is_in_time"), false), t."until", c."chain_time", c."epoch" = "i"."chain_epoch"
    FROM "coin_rule" r JOIN "chain_cursor" c ON c."chain" = "i"."chain" JOIN "user_account" u ON u."id" = "i"."user_id"
      CROSS JOIN LATERAL (
        SELECT "i"."expires_at" + r."grace_seconds" * interval '1 second' + interval '1 second' * coalesce((
          SELECT ceil(extract(epoch FROM sum(least(o."ended_at", "i"."expires_at") - greatest(o."started_at", "i"."created_at"))))
          FROM "watcher_outage" o
          WHERE o."chain" = "i"."chain" AND o."ended_at" > "i"."created_at" AND o."started_at" < "i"."expires_at"), 0) AS "until"
      ) t
      LEFT JOIN LATERAL (
        SELECT f.*, f."is_in_time" OR "i"."late_accepted_at" IS NOT NULL
          OR (u."late_policy" = 'accept' AND coalesce(f."booked_at" >= u."late_policy_since", true)
            AND NOT EXISTS (SELECT 1 FROM "invoice_event" e
              WHERE e."invoice_id" = "i"."id" AND e."type" = 'invoice.resolved' AND e."payment_state" = 'late')) AS "counts"
        FROM (
          SELECT d."amount_units" AS "units", least(d."block_time", d."seen_at") <= t."until" AS "is_in_time",
            d."block_height" <= c."confirmed_height" AND d."block_height" <= c."height" - d."extra_confirmations" + 1 AS "is_confirmed",
            CASE WHEN coalesce(d."first_posted_at", d."posted_at") IS NOT NULL THEN greatest(coalesce(d."first_posted_at", d."posted_at"),
              (SELECT max(a."at") FROM "deposit_attribution" a WHERE a."deposit_id" = d."id")) END AS "booked_at"
          FROM "deposit" d
          WHERE d."wallet_id" = "i"."wallet_id" AND d."epoch" = "i"."chain_epoch" AND d."orphaned_at" IS NULL
        ) f
      ) s ON true
    WHERE r."coin" = "i"."coin"
    GROUP BY t."until", c."chain_time", c."epoch";
END $$;

-- As before; and a decision dates a reversal and a payment as the facts do: once, when they happen. Forced by money in another coin
-- is only an invoice whose address still has it, and nobody else.
CREATE OR REPLACE FUNCTION "check_settlement"("i" "invoice", "d" "settlement_decision") RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "rule" "coin_rule"%ROWTYPE;
  "facts" record;
  "short" numeric;
  "founded" boolean;
  -- The chain may move on, or back, between a decision and this look at it.
  "leeway" CONSTANT interval := interval '1 day';
BEGIN
  IF "i"."coin" IS NULL THEN
    "founded" := "d"."paid" = 0 AND "d"."confirmed" = 0 AND "d"."received" = 0 AND "d"."payment_state" = 'unpaid'
      AND "d"."reversed_at" IS NULL AND NOT "d"."uses_late" AND "d"."paid_at" IS NOT DISTINCT FROM "i"."paid_at"
      AND ("d"."status" = "i"."status" OR ("i"."status" = 'pending' AND "d"."status" = 'expired'));
  ELSE
    SELECT * INTO STRICT "rule" FROM "coin_rule" r WHERE r."coin" = "i"."coin";
    SELECT * INTO STRICT "facts" FROM "invoice_facts"("i");
    "short" := greatest(div("i"."amount_units" * "i"."tolerance_basis_points", 10000) + 1, "rule"."shown_units");
    -- Where late money is part of what pays, all of it is accepted from then on.
    "founded" := "d"."received" = "facts"."received"
      AND "d"."paid" = CASE WHEN "d"."uses_late" THEN "facts"."received" ELSE "facts"."counted" END
      AND "d"."confirmed" = CASE WHEN "d"."uses_late" THEN "facts"."all_confirmed" ELSE "facts"."confirmed" END
      AND (NOT "d"."uses_late" OR ("d"."status" = 'paid' AND "facts"."takes_late"))
      AND coalesce("d"."reversed_at" = "i"."reversed_at" OR ("i"."status" = 'paid' AND "d"."status" = 'pending'
        AND "d"."reversed_at" BETWEEN "facts"."chain_time" - "leeway" AND greatest("facts"."chain_time", now())),
        "d"."reversed_at" IS NULL AND ("d"."status" <> 'pending' OR ("i"."reversed_at" IS NULL AND "i"."status" <> 'paid')))
      AND CASE WHEN "d"."status" NOT IN ('paid', 'forcePaid') THEN "d"."paid_at" IS NULL
        WHEN "i"."paid_at" IS NOT NULL THEN "d"."paid_at" IS NOT DISTINCT FROM "i"."paid_at"
        ELSE coalesce("d"."paid_at" BETWEEN "facts"."chain_time" - "leeway"
          AND greatest("facts"."chain_time", clock_timestamp() + interval '5 seconds'), false) END
      AND CASE "d"."payment_state"
        WHEN 'overpaid' THEN "facts"."received" - "i"."amount_units" >= "rule"."told_units" AND "d"."status" IN ('paid', 'forcePaid')
        WHEN 'settled' THEN "d"."status" IN ('paid', 'forcePaid')
        WHEN 'late' THEN "facts"."late" >= "rule"."told_units" AND "d"."status" = 'expired'
        WHEN 'seen' THEN "i"."amount_units" - "facts"."counted" < "short"
        WHEN 'confirming' THEN "i"."amount_units" - "facts"."counted" < "short"
        WHEN 'reversed' THEN "d"."reversed_at" IS NOT NULL
        WHEN 'partial' THEN "facts"."counted" >= "rule"."shown_units"
        ELSE "d"."status" <> 'paid'
      END
      AND CASE
        WHEN "d"."status" = "i"."status" THEN true
        WHEN "d"."status" = 'paid' THEN
          "facts"."same_epoch" AND "i"."amount_units" - "facts"."confirmed" < "short"
        WHEN "d"."status" = 'forcePaid' THEN "facts"."received" + coalesce((
            SELECT sum(o."amount_units") FROM "wallet" w
              JOIN "deposit" o ON o."pool_address_id" = w."pool_address_id" AND o."coin" <> w."coin" AND o."orphaned_at" IS NULL
                AND o."wallet_id" IS NULL AND o."epoch" = (SELECT c."epoch" FROM "chain_cursor" c WHERE c."chain" = o."chain")
            WHERE w."id" = "i"."wallet_id"), 0) >
          CASE WHEN "i"."amount_units" < "rule"."force_threshold_units" THEN 0 ELSE "rule"."force_threshold_units" END
        WHEN "d"."status" = 'expired' THEN NOT "facts"."same_epoch"
          OR ("facts"."chain_time" > "facts"."until" AND "i"."amount_units" - "facts"."counted" >= "short"
            AND coalesce("i"."reversed_at" + interval '24 hours' < "facts"."chain_time", true))
        ELSE "i"."amount_units" - "facts"."counted" >= "short"
      END;
  END IF;
  IF "founded" IS NOT TRUE THEN
    RAISE EXCEPTION 'the facts of invoice % do not carry % (%) with % paid, % confirmed and % received',
      "i"."id", "d"."status", "d"."payment_state", "d"."paid", "d"."confirmed", "d"."received"
      USING ERRCODE = 'check_violation', CONSTRAINT = 'settlement_founded';
  END IF;
END $$;

-- A failure puts a settlement off for an hour at most, whoever notes it, and is an invoice's.
DELETE FROM "settlement_failure" f WHERE NOT EXISTS (SELECT 1 FROM "invoice" i WHERE i."id" = f."invoice_id");
-- AddForeignKey
ALTER TABLE "settlement_failure" ADD CONSTRAINT "settlement_failure_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE FUNCTION "bound_failure"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW."next_try_at" := least(NEW."next_try_at", clock_timestamp() + interval '1 hour');
  RETURN NEW;
END $$;
CREATE TRIGGER "settlement_failure_bounded" BEFORE INSERT OR UPDATE ON "settlement_failure" FOR EACH ROW EXECUTE FUNCTION "bound_failure"();

-- An entry has two sides: one without postings would take its fact's place and book nothing.
CREATE FUNCTION "check_entry_sides"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (SELECT count(*) FROM "ledger_posting" p WHERE p."entry_id" = NEW."id") < 2 THEN
    RAISE EXCEPTION 'ledger entry % does not balance: it has no two sides', NEW."id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "ledger_entry_has_sides" AFTER INSERT ON "ledger_entry" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "check_entry_sides"();

REVOKE EXECUTE ON FUNCTION "bound_failure", "check_entry_sides" FROM PUBLIC;
GRANT CREATE ON SCHEMA "public" TO "incassa_functions";
ALTER FUNCTION "bound_failure" OWNER TO "incassa_functions";
ALTER FUNCTION "check_entry_sides" OWNER TO "incassa_functions";
REVOKE CREATE ON SCHEMA "public" FROM "incassa_functions";
