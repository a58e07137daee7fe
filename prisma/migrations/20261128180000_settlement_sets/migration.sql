-- AlterTable: of an account from before, nobody knows since when its policy holds. What was decided under it stays as it is.
ALTER TABLE "user_account" ADD COLUMN     "late_policy_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "settlement_failure" (
    "invoice_id" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "failed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_failure_pkey" PRIMARY KEY ("invoice_id")
);



-- Written by hand from here on: what the schema language cannot say.

-- Since when the policy is what it is, by the database's time, whoever changes it.
CREATE FUNCTION "note_late_policy"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW."late_policy_since" := date_trunc('milliseconds', clock_timestamp());
  RETURN NEW;
END $$;
CREATE TRIGGER "user_late_policy_dated" BEFORE UPDATE OF "late_policy" ON "user_account"
  FOR EACH ROW WHEN (OLD."late_policy" IS DISTINCT FROM NEW."late_policy") EXECUTE FUNCTION "note_late_policy"();

-- What is decided of one invoice, with the version of the invoice of which it was decided. "misfit" is the event of money that
-- does not fit, when it comes up with this decision: the owner is asked anew.
CREATE TYPE "settlement_decision" AS (
  "invoice_id" integer, "version" integer, "status" "invoice_status", "payment_state" "payment_state", "paid" numeric,
  "confirmed" numeric, "received" numeric, "paid_at" timestamptz, "reversed_at" timestamptz, "uses_late" boolean, "misfit" text
);

DROP FUNCTION "settle_invoice"(integer, integer, "invoice_status", "payment_state", numeric, numeric, numeric, timestamptz, timestamptz, boolean, boolean, timestamptz);
DROP FUNCTION "check_settlement"("invoice", "invoice_status", "payment_state", numeric, numeric, numeric, timestamptz);
DROP FUNCTION "invoice_facts"("invoice");
DROP FUNCTION "enqueue_deliveries"(bigint);

-- What the facts of an invoice with a coin carry, read now: all money on its wallet that is on the chain, the part that counts
-- (in time, or late and accepted), the confirmed part of each, and what came after the time, accepted or not. "takes_late": late
-- money counts. "until" is the last moment in time.
-- The owner's policy accepts what was booked to the wallet since it holds, and what still waits for its booking; whoever dealt
-- with late money of this invoice otherwise decides on all of it by hand.
CREATE FUNCTION "invoice_facts"("i" "invoice") RETURNS TABLE (
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
            CASE WHEN d."posted_at" IS NOT NULL THEN greatest(d."posted_at",
              (SELECT max(a."at") FROM "deposit_attribution" a WHERE a."deposit_id" = d."id")) END AS "booked_at"
          FROM "deposit" d
          WHERE d."wallet_id" = "i"."wallet_id" AND d."epoch" = "i"."chain_epoch" AND d."orphaned_at" IS NULL
        ) f
      ) s ON true
    WHERE r."coin" = "i"."coin"
    GROUP BY t."until", c."chain_time", c."epoch";
END $$;

-- Refuses a decision that the facts do not carry. It decides nothing: what the product decides (lib/invoices/state.ts) passes.
CREATE FUNCTION "check_settlement"("i" "invoice", "d" "settlement_decision") RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "rule" "coin_rule"%ROWTYPE;
  "facts" record;
  "short" numeric;
  "founded" boolean;
BEGIN
  IF "i"."coin" IS NULL THEN
    "founded" := "d"."paid" = 0 AND "d"."confirmed" = 0 AND "d"."received" = 0 AND "d"."payment_state" = 'unpaid'
      AND "d"."reversed_at" IS NULL AND NOT "d"."uses_late"
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
      AND coalesce("d"."reversed_at" <= greatest("facts"."chain_time", now()), true)
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

-- Adds the deliveries of events, once per key: to the key that made the invoice and to no other, or, for an invoice made on
-- screen, to every key of its owner; active keys with a URL only, and of those on one host no more than ten, the oldest. They are
-- due now, cut to the millisecond and not rounded: a delivery must be due for a clock that shows no more than that.
CREATE FUNCTION "enqueue_deliveries"("of_events" bigint[]) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "added" integer;
BEGIN
  INSERT INTO "webhook_delivery" ("event_id", "api_key_id", "url", "next_attempt_at")
    SELECT k."event_id", k."id", k."webhook_url", date_trunc('milliseconds', now())
    FROM (
      SELECT e."id" AS "event_id", a."id", a."webhook_url", row_number() OVER (
          PARTITION BY e."id", lower(substring(a."webhook_url" FROM '^[^:]*://(\[[^]]*\]|[^/:?#]*)')) ORDER BY a."id") AS "place"
      FROM "invoice_event" e JOIN "invoice" i ON i."id" = e."invoice_id" JOIN "api_key" a ON a."user_id" = i."user_id"
      WHERE e."id" = ANY ("of_events") AND a."is_active" AND a."webhook_url" IS NOT NULL
        AND (i."api_key_id" IS NULL OR a."id" = i."api_key_id")
    ) k
    WHERE k."place" <= 10
    ON CONFLICT ("event_id", "api_key_id") DO NOTHING;
  GET DIAGNOSTICS "added" = ROW_COUNT;
  RETURN "added";
END $$;

-- Writes a set of decisions with everything that goes with them: the event of each change of status, its deliveries, the
-- customer's receipt, the owner's alarm when what was paid is not any more, and the event of money that does not fit. The invoices
-- are locked in the order of their ids, as everybody does who locks more than one; only then the facts are read and each decision
-- is held against them: one that they do not carry refuses the set. Returns how many were written: fewer than given when an
-- invoice changed since its version was read.
CREATE FUNCTION "settle_invoices"("decisions" jsonb, "at" timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "set" "settlement_decision"[];
  "d" "settlement_decision";
  "events" bigint[];
  "written" integer;
BEGIN
  PERFORM "refuse_old_snapshot"();
  "set" := ARRAY(SELECT r FROM jsonb_populate_recordset(NULL::"settlement_decision", "decisions") r);
  IF cardinality("set") > 1000 OR cardinality("set") <> (SELECT count(DISTINCT s."invoice_id") FROM unnest("set") s) THEN
    RAISE EXCEPTION 'no set of at most 1,000 invoices, each once' USING ERRCODE = 'check_violation';
  END IF;
  PERFORM 1 FROM "invoice" v WHERE v."id" IN (SELECT s."invoice_id" FROM unnest("set") s) ORDER BY v."id" FOR NO KEY UPDATE;
  "set" := ARRAY(SELECT s FROM unnest("set") s JOIN "invoice" v ON v."id" = s."invoice_id" AND v."version" = s."version");
  PERFORM "check_settlement"(v, s) FROM unnest("set") s JOIN "invoice" v ON v."id" = s."invoice_id";
  WITH "settled" AS (
    UPDATE "invoice" i SET "status" = s."status", "payment_state" = s."payment_state", "amount_paid_units" = s."paid",
        "amount_confirmed_units" = s."confirmed", "amount_received_units" = s."received", "paid_at" = s."paid_at",
        "reversed_at" = s."reversed_at", "version" = i."version" + 1,
        "late_accepted_at" = CASE WHEN s."uses_late" THEN coalesce(i."late_accepted_at", "at") ELSE i."late_accepted_at" END,
        "resolved_at" = CASE WHEN s."misfit" IS NULL THEN i."resolved_at" END
      FROM unnest("set") s JOIN "invoice" b ON b."id" = s."invoice_id"
      WHERE i."id" = s."invoice_id"
      RETURNING i.*, b."status" AS "was"
  ), "event" AS (
    INSERT INTO "invoice_event" ("invoice_id", "sequence", "type", "from_status", "to_status", "payment_state", "amount_paid_units",
        "amount_received_units", "created_at")
      SELECT c."id", coalesce((SELECT max(e."sequence") FROM "invoice_event" e WHERE e."invoice_id" = c."id"), 0) + 1,
        'invoice.statusChanged', c."was", c."status", c."payment_state", c."amount_paid_units", c."amount_received_units", "at"
      FROM "settled" c WHERE c."was" <> c."status"
      RETURNING "id"
  )
  SELECT (SELECT count(*) FROM "settled"), (SELECT array_agg(e."id") FROM "event" e) INTO "written", "events";
  IF "events" IS NOT NULL THEN
    PERFORM "enqueue_deliveries"("events");
    -- As enqueue_mail() does for one.
    INSERT INTO "outgoing_mail" ("dedupe_key", "recipient", "event_id", "kind", "next_attempt_at")
      SELECT m."key", m."recipient", e."id", m."kind", date_trunc('milliseconds', now())
      FROM "invoice_event" e JOIN "invoice" i ON i."id" = e."invoice_id" JOIN "user_account" u ON u."id" = i."user_id"
        CROSS JOIN LATERAL (VALUES
          ('receipt:' || i."uuid", i."email", 'receipt'::"mail_kind", e."to_status" IN ('paid', 'forcePaid') AND i."email" IS NOT NULL),
          ('reversed:' || i."uuid" || ':' || e."sequence", u."email", 'reversal', e."from_status" = 'paid')
        ) AS m ("key", "recipient", "kind", "is_due")
      WHERE e."id" = ANY ("events") AND m."is_due"
      ON CONFLICT ("dedupe_key") DO NOTHING;
  END IF;
  FOREACH "d" IN ARRAY "set" LOOP
    IF "d"."misfit" IS NOT NULL THEN PERFORM "note_event"("d"."invoice_id", "d"."misfit", "at"); END IF;
  END LOOP;
  DELETE FROM "settlement_failure" f WHERE f."invoice_id" IN (SELECT s."invoice_id" FROM unnest("set") s);
  RETURN "written";
END $$;

REVOKE EXECUTE ON FUNCTION "settle_invoices", "check_settlement", "invoice_facts", "enqueue_deliveries", "note_late_policy" FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "settle_invoices" TO "incassa_web", "incassa_watcher", "incassa_dispatcher";
GRANT SELECT ON "deposit_attribution" TO "incassa_functions";
GRANT SELECT ("late_policy_since") ON "user_account" TO "incassa_functions", "incassa_watcher", "incassa_dispatcher";
GRANT SELECT, DELETE ON "settlement_failure" TO "incassa_functions";
GRANT SELECT, INSERT, UPDATE, DELETE ON "settlement_failure" TO "incassa_watcher", "incassa_dispatcher";
GRANT CREATE ON SCHEMA "public" TO "incassa_functions";
ALTER FUNCTION "settle_invoices" OWNER TO "incassa_functions";
ALTER FUNCTION "check_settlement" OWNER TO "incassa_functions";
ALTER FUNCTION "invoice_facts" OWNER TO "incassa_functions";
ALTER FUNCTION "enqueue_deliveries" OWNER TO "incassa_functions";
ALTER FUNCTION "note_late_policy" OWNER TO "incassa_functions";
REVOKE CREATE ON SCHEMA "public" FROM "incassa_functions";
