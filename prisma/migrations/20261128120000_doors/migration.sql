-- What a process may do to money and status becomes functions that refuse what the facts do not carry. They belong to a role
-- that nobody logs in as and that owns nothing else, and every right of every login is written down anew, whole.

CREATE TYPE "mail_kind" AS ENUM ('receipt', 'reversal', 'misfit');

-- What the functions need to know of a coin. `npm run migrate` writes it from the product's own tables of coins and chains.
CREATE TABLE "coin_rule" (
    "coin" "coin" NOT NULL,
    "chain" "chain" NOT NULL,
    "family" "address_family" NOT NULL,
    "has_own_key" BOOLEAN NOT NULL,
    "decimals" INTEGER NOT NULL,
    "shown_units" DECIMAL(78,0) NOT NULL,
    "told_units" DECIMAL(78,0) NOT NULL,
    "force_threshold_units" DECIMAL(78,0) NOT NULL,
    "grace_seconds" INTEGER NOT NULL,

    CONSTRAINT "coin_rule_pkey" PRIMARY KEY ("coin")
);

-- An event says all that a webhook or a mail tells of the moment, so that the dispatcher writes both from it.
ALTER TABLE "invoice_event"
  ADD COLUMN "amount_paid_units" DECIMAL(78,0) NOT NULL DEFAULT 0,
  ADD COLUMN "amount_received_units" DECIMAL(78,0) NOT NULL DEFAULT 0;
-- Only what was stored before events said it.
ALTER TABLE "webhook_delivery" ALTER COLUMN "body" DROP NOT NULL;
ALTER TABLE "outgoing_mail"
  ADD COLUMN "event_id" BIGINT,
  ADD COLUMN "kind" "mail_kind",
  ALTER COLUMN "subject" SET DEFAULT '',
  ALTER COLUMN "text" SET DEFAULT '';
ALTER TABLE "outgoing_mail" ADD CONSTRAINT "outgoing_mail_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "invoice_event"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A wallet's address is the pool's, not a text beside its number.
CREATE UNIQUE INDEX "pool_address_id_address_key" ON "pool_address"("id", "address");
ALTER TABLE "wallet" DROP CONSTRAINT "wallet_pool_address_id_fkey";
ALTER TABLE "wallet" ADD CONSTRAINT "wallet_pool_address_id_address_fkey" FOREIGN KEY ("pool_address_id", "address") REFERENCES "pool_address"("id", "address") ON DELETE RESTRICT ON UPDATE CASCADE;

DROP FUNCTION "claim_wallet"(integer, "coin", "chain", "wallet_type", "address_family", boolean);



-- Written by hand from here on: what the schema language cannot say.

-- A comparison with NULL is no refusal: a coin without amount or rate passed the old one.
ALTER TABLE "invoice" DROP CONSTRAINT "invoice_coin_whole";
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_coin_whole" CHECK (
  ("coin" IS NULL AND "amount_units" IS NULL AND "rate" IS NULL AND "wallet_id" IS NULL AND "chain_epoch" IS NULL)
  OR ("coin" IS NOT NULL AND coalesce("amount_units" > 0 AND "rate" > 0, false) AND "wallet_id" IS NOT NULL AND "chain_epoch" IS NOT NULL)
);
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_sums_not_negative"
  CHECK ("amount_paid_units" >= 0 AND "amount_confirmed_units" >= 0 AND "amount_received_units" >= 0);
-- No program reads an infinite date.
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_times_finite" CHECK (isfinite("created_at") AND isfinite("expires_at")
  AND isfinite(coalesce("paid_at", '1970-01-01')) AND isfinite(coalesce("reversed_at", '1970-01-01'))
  AND isfinite(coalesce("late_accepted_at", '1970-01-01')) AND isfinite(coalesce("resolved_at", '1970-01-01')));
ALTER TABLE "invoice_event" ADD CONSTRAINT "invoice_event_time_finite" CHECK (isfinite("created_at"));
-- A host and nothing that could be taken for another. Addresses from before stay as they are.
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_webhook_url_plain"
  CHECK ("webhook_url" ~* '^https?://[a-z0-9._\[\]:-]+([/?#][^[:space:]\\]*)?$') NOT VALID;
ALTER TABLE "outgoing_mail" ADD CONSTRAINT "outgoing_mail_of_event" CHECK (("event_id" IS NULL) = ("kind" IS NULL));

-- The functions below look at what is, not at what was when a transaction began.
CREATE FUNCTION "refuse_old_snapshot"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'not in a transaction that is %', current_setting('transaction_isolation')
      USING ERRCODE = 'invalid_transaction_state';
  END IF;
END $$;

-- Takes the oldest free address for a new wallet. Free means: nobody has it, no money came to it before anybody had it, and
-- the chain's watcher already looks for it (its loaded generation reached the address's own), so that no payment can arrive
-- unseen. Empty when the pool is dry. Chain, family and key follow from the coin. An address that a wallet has although it is
-- not marked as taken (nothing of ours does that) is passed over.
CREATE FUNCTION "claim_wallet"("for_user" integer, "for_coin" "coin", "of_type" "wallet_type")
RETURNS TABLE ("id" integer, "uuid" uuid, "address" text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "rule" "coin_rule"%ROWTYPE;
  "claimed" "pool_address"%ROWTYPE;
BEGIN
  PERFORM "refuse_old_snapshot"();
  SELECT * INTO STRICT "rule" FROM "coin_rule" r WHERE r."coin" = "for_coin";
  UPDATE "pool_address" AS p SET "claimed_at" = now()
  WHERE p."id" = (
    SELECT f."id" FROM "pool_address" f
    WHERE f."family" = "rule"."family" AND f."purpose" = "of_type"::text::"address_purpose" AND f."claimed_at" IS NULL
      AND coalesce(f."merchant_id", 0) = CASE WHEN "rule"."has_own_key" THEN "for_user" ELSE 0 END
      AND f."generation" <= (SELECT c."loaded_generation" FROM "chain_cursor" c WHERE c."chain" = "rule"."chain")
      AND NOT EXISTS (SELECT 1 FROM "deposit" d WHERE d."pool_address_id" = f."id")
      AND NOT EXISTS (SELECT 1 FROM "wallet" w WHERE w."pool_address_id" = f."id")
    ORDER BY f."id" LIMIT 1 FOR UPDATE OF f SKIP LOCKED
  ) RETURNING * INTO "claimed";
  IF NOT FOUND THEN RETURN; END IF;
  RETURN QUERY INSERT INTO "wallet" AS w ("user_id", "coin", "type", "pool_address_id", "address")
    VALUES ("for_user", "for_coin", "of_type", "claimed"."id", "claimed"."address")
    RETURNING w."id", w."uuid", w."address";
END $$;

-- A merchant's own wallet: the one door to claim_wallet() that is not an invoice's.
CREATE FUNCTION "create_primary_wallet"("for_user" integer, "for_coin" "coin") RETURNS TABLE ("id" integer)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c."id" FROM "claim_wallet"("for_user", "for_coin", 'primary') c
$$;

-- Refuses a price that is not what the amount costs at a rate within 5 % of the one that was read last: the rate itself may be
-- a few seconds older than that. What is due is rounded up to the smallest amount that is shown.
CREATE FUNCTION "check_price"("of_coin" "coin", "cents" integer, "units" numeric, "at_rate" numeric) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "rule" "coin_rule"%ROWTYPE;
  "known" numeric;
  "exact" numeric;
BEGIN
  SELECT * INTO STRICT "rule" FROM "coin_rule" r WHERE r."coin" = "of_coin";
  SELECT r."rate" INTO "known" FROM "coin_rate" r WHERE r."coin" = "of_coin";
  "exact" := "cents" * 10::numeric ^ "rule"."decimals";
  IF "units" IS NULL OR "at_rate" IS NULL OR "known" IS NULL OR abs("at_rate" - "known") > "known" * 0.05
    OR "units" * "at_rate" * 100 < "exact" OR ("units" - "rule"."shown_units") * "at_rate" * 100 >= "exact"
  THEN
    RAISE EXCEPTION '% units of % at % are not the price of % cents', "units", "of_coin", "at_rate", "cents"
      USING ERRCODE = 'check_violation', CONSTRAINT = 'price_founded';
  END IF;
END $$;

-- Stores an invoice; with a coin, priced and with a wallet of its own. Empty when no watcher of the coin's chain was seen since
-- "live_since", or no address is free. The tolerance is the owner's, the end follows from the minutes.
CREATE FUNCTION "create_invoice"(
  "for_user" integer, "with_key" integer, "described" text, "external" text, "cents" integer, "minutes" integer,
  "at" timestamptz, "in_coin" "coin", "units" numeric, "at_rate" numeric, "live_since" timestamptz
) RETURNS TABLE (
  "id" integer, "uuid" uuid, "expires_at" timestamptz, "wallet_id" integer, "wallet_uuid" uuid, "wallet_address" text,
  "chain_epoch" integer, "confirmations" integer, "merchant_name" text
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "on_chain" "chain";
  "tolerance" integer;
BEGIN
  PERFORM "refuse_old_snapshot"();
  IF NOT coalesce("minutes" BETWEEN 1 AND 1440 AND "at" < now() + interval '1 day', false) THEN
    RAISE EXCEPTION 'an invoice of % minutes from % on', "minutes", "at" USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_minutes';
  END IF;
  SELECT u."name", u."tolerance_basis_points" INTO STRICT "merchant_name", "tolerance"
    FROM "user_account" u WHERE u."id" = "for_user";
  IF "with_key" IS NOT NULL THEN
    PERFORM 1 FROM "api_key" k WHERE k."id" = "with_key" AND k."user_id" = "for_user";
    IF NOT FOUND THEN
      RAISE EXCEPTION 'key % is not one of merchant %', "with_key", "for_user" USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  IF "in_coin" IS NOT NULL THEN
    PERFORM "check_price"("in_coin", "cents", "units", "at_rate");
    SELECT c."chain", c."epoch", c."confirmations" INTO "on_chain", "chain_epoch", "confirmations"
      FROM "coin_rule" r JOIN "chain_cursor" c ON c."chain" = r."chain"
      WHERE r."coin" = "in_coin" AND c."paused_reason" IS NULL AND c."height" IS NOT NULL
        AND c."updated_at" > "live_since";
    IF NOT FOUND THEN RETURN; END IF;
    SELECT c."id", c."uuid", c."address" INTO "wallet_id", "wallet_uuid", "wallet_address"
      FROM "claim_wallet"("for_user", "in_coin", 'invoice') c;
    IF NOT FOUND THEN RETURN; END IF;
  ELSE
    "units" := NULL;
    "at_rate" := NULL;
  END IF;
  INSERT INTO "invoice" AS i ("user_id", "api_key_id", "description", "external_code", "amount_eur_cents", "expiry_minutes",
      "created_at", "expires_at", "tolerance_basis_points", "coin", "chain", "amount_units", "rate", "wallet_id", "chain_epoch")
    VALUES ("for_user", "with_key", "described", "external", "cents", "minutes",
      "at", "at" + "minutes" * interval '1 minute', "tolerance", "in_coin", "on_chain", "units", "at_rate", "create_invoice"."wallet_id",
      "create_invoice"."chain_epoch")
    RETURNING i."id", i."uuid", i."expires_at"
    INTO "create_invoice"."id", "create_invoice"."uuid", "create_invoice"."expires_at";
  RETURN NEXT;
END $$;

-- Gives a pending invoice without a coin its coin, amount and wallet. False when it has a coin or is over, when no watcher of the
-- chain was seen since "live_since", or when no address is free.
CREATE FUNCTION "price_invoice"("of_uuid" uuid, "in_coin" "coin", "units" numeric, "at_rate" numeric, "at" timestamptz, "live_since" timestamptz)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "open" "invoice"%ROWTYPE;
  "cursor" "chain_cursor"%ROWTYPE;
  "claimed" integer;
BEGIN
  PERFORM "refuse_old_snapshot"();
  SELECT * INTO "open" FROM "invoice" i
    WHERE i."uuid" = "of_uuid" AND i."coin" IS NULL AND i."status" = 'pending' AND i."expires_at" > "at" FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM "check_price"("in_coin", "open"."amount_eur_cents", "units", "at_rate");
  SELECT c.* INTO "cursor" FROM "coin_rule" r JOIN "chain_cursor" c ON c."chain" = r."chain"
    WHERE r."coin" = "in_coin" AND c."paused_reason" IS NULL AND c."height" IS NOT NULL
      AND c."updated_at" > "live_since";
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT c."id" INTO "claimed" FROM "claim_wallet"("open"."user_id", "in_coin", 'invoice') c;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE "invoice" SET "coin" = "in_coin", "chain" = "cursor"."chain", "amount_units" = "units", "rate" = "at_rate",
    "wallet_id" = "claimed", "chain_epoch" = "cursor"."epoch" WHERE "id" = "open"."id";
  RETURN true;
END $$;

-- What the facts of an invoice carry, read now: all money on its wallet that is on the chain, the part that came in time (or is
-- accepted late), the confirmed part of that, and what came after the time, accepted or not. "until" is the last moment in time.
CREATE FUNCTION "invoice_facts"("i" "invoice") RETURNS TABLE (
  "received" numeric, "counted" numeric, "confirmed" numeric, "late" numeric, "elsewhere" numeric,
  "until" timestamptz, "chain_time" timestamptz, "same_epoch" boolean
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "c" "chain_cursor"%ROWTYPE;
  "takes_late" boolean;
BEGIN
  SELECT * INTO "c" FROM "chain_cursor" k WHERE k."chain" = "i"."chain";
  SELECT "i"."late_accepted_at" IS NOT NULL OR (u."late_policy" = 'accept' AND NOT EXISTS (SELECT 1 FROM "invoice_event" e
      WHERE e."invoice_id" = "i"."id" AND e."type" = 'invoice.resolved' AND e."payment_state" = 'late')) INTO STRICT "takes_late"
    FROM "user_account" u WHERE u."id" = "i"."user_id";
  SELECT "i"."expires_at" + r."grace_seconds" * interval '1 second' + interval '1 second' * coalesce((
      SELECT ceil(extract(epoch FROM sum(least(o."ended_at", "i"."expires_at") - greatest(o."started_at", "i"."created_at"))))
      FROM "watcher_outage" o
      WHERE o."chain" = "i"."chain" AND o."ended_at" > "i"."created_at" AND o."started_at" < "i"."expires_at"), 0)
    INTO STRICT "until" FROM "coin_rule" r WHERE r."coin" = "i"."coin";
  SELECT coalesce(sum(s."units"), 0), coalesce(sum(s."units") FILTER (WHERE "takes_late" OR s."is_in_time"), 0),
      coalesce(sum(s."units") FILTER (WHERE ("takes_late" OR s."is_in_time") AND s."is_confirmed"), 0),
      coalesce(sum(s."units") FILTER (WHERE NOT s."is_in_time"), 0)
    INTO "received", "counted", "confirmed", "late"
    FROM (
      SELECT d."amount_units" AS "units",
        least(d."block_time", d."seen_at") <= "invoice_facts"."until" AS "is_in_time",
        d."block_height" <= "c"."confirmed_height" AND d."block_height" <= "c"."height" - d."extra_confirmations" + 1 AS "is_confirmed"
      FROM "deposit" d
      WHERE d."wallet_id" = "i"."wallet_id" AND d."epoch" = "i"."chain_epoch" AND d."orphaned_at" IS NULL
    ) s;
  SELECT coalesce(sum(d."amount_units"), 0) INTO "elsewhere"
    FROM "wallet" w JOIN "deposit" d ON d."pool_address_id" = w."pool_address_id" AND d."coin" <> w."coin" AND d."orphaned_at" IS NULL
    WHERE w."id" = "i"."wallet_id";
  "chain_time" := "c"."chain_time";
  "same_epoch" := "c"."epoch" IS NOT DISTINCT FROM "i"."chain_epoch";
  RETURN NEXT;
END $$;

-- Refuses a decision that the facts do not carry. It decides nothing: what the product decides (lib/invoices/state.ts) passes.
CREATE FUNCTION "check_settlement"("i" "invoice", "to_status" "invoice_status", "to_state" "payment_state", "paid" numeric, "confirmed" numeric, "received" numeric, "was_reversed_at" timestamptz)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "facts" record;
  "rule" "coin_rule"%ROWTYPE;
  "short" numeric;
  "founded" boolean;
BEGIN
  IF "i"."coin" IS NULL THEN
    "founded" := "paid" = 0 AND "confirmed" = 0 AND "received" = 0 AND "to_state" = 'unpaid' AND "was_reversed_at" IS NULL
      AND ("to_status" = "i"."status" OR ("i"."status" = 'pending' AND "to_status" = 'expired'));
  ELSE
    SELECT * INTO STRICT "rule" FROM "coin_rule" r WHERE r."coin" = "i"."coin";
    SELECT * INTO STRICT "facts" FROM "invoice_facts"("i");
    "short" := greatest(div("i"."amount_units" * "i"."tolerance_basis_points", 10000) + 1, "rule"."shown_units");
    "founded" := "received" = "facts"."received" AND "paid" = "facts"."counted" AND "confirmed" = "facts"."confirmed"
      AND coalesce("was_reversed_at" <= greatest("facts"."chain_time", now()), true)
      AND CASE "to_state"
        WHEN 'overpaid' THEN "facts"."received" - "i"."amount_units" >= "rule"."told_units" AND "to_status" IN ('paid', 'forcePaid')
        WHEN 'settled' THEN "to_status" IN ('paid', 'forcePaid')
        WHEN 'late' THEN "facts"."late" >= "rule"."told_units" AND "to_status" = 'expired'
        WHEN 'seen' THEN "i"."amount_units" - "facts"."counted" < "short"
        WHEN 'confirming' THEN "i"."amount_units" - "facts"."counted" < "short"
        WHEN 'reversed' THEN "was_reversed_at" IS NOT NULL
        WHEN 'partial' THEN "facts"."counted" >= "rule"."shown_units"
        ELSE "to_status" <> 'paid'
      END
      AND CASE
        WHEN "to_status" = "i"."status" THEN true
        WHEN "to_status" = 'paid' THEN
          "facts"."same_epoch" AND "i"."amount_units" - "facts"."confirmed" < "short"
        WHEN "to_status" = 'forcePaid' THEN "facts"."received" + "facts"."elsewhere" >
          CASE WHEN "i"."amount_units" < "rule"."force_threshold_units" THEN 0 ELSE "rule"."force_threshold_units" END
        WHEN "to_status" = 'expired' THEN NOT "facts"."same_epoch"
          OR ("facts"."chain_time" > "facts"."until" AND "i"."amount_units" - "facts"."counted" >= "short"
            AND coalesce("i"."reversed_at" + interval '24 hours' < "facts"."chain_time", true))
        ELSE "i"."amount_units" - "facts"."counted" >= "short"
      END;
  END IF;
  IF "founded" IS NOT TRUE THEN
    RAISE EXCEPTION 'the facts of invoice % do not carry % (%) with % paid, % confirmed and % received',
      "i"."id", "to_status", "to_state", "paid", "confirmed", "received" USING ERRCODE = 'check_violation', CONSTRAINT = 'settlement_founded';
  END IF;
END $$;

-- Adds the invoice's next event, as the invoice stands now. Its number is free of gaps because the invoice is locked.
CREATE FUNCTION "add_event"("of_invoice" integer, "of_type" text, "was" "invoice_status", "at" timestamptz)
RETURNS "invoice_event" LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO "invoice_event" ("invoice_id", "sequence", "type", "from_status", "to_status", "payment_state", "amount_paid_units",
      "amount_received_units", "created_at")
    SELECT i."id", coalesce((SELECT max(e."sequence") FROM "invoice_event" e WHERE e."invoice_id" = i."id"), 0) + 1, "of_type",
      coalesce("was", i."status"), i."status", i."payment_state", i."amount_paid_units",
      i."amount_received_units", "at"
    FROM "invoice" i WHERE i."id" = "of_invoice"
  RETURNING *
$$;

-- Adds an event's deliveries, once per key: to the key that made the invoice and to no other, or, for an invoice made on screen,
-- to every key of its owner; active keys with a URL only, and of those on one host no more than ten, the oldest. They are due
-- now, cut to the millisecond and not rounded: a delivery must be due for a clock that shows no more than that.
CREATE FUNCTION "enqueue_deliveries"("of_event" bigint) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH "added" AS (
    INSERT INTO "webhook_delivery" ("event_id", "api_key_id", "url", "next_attempt_at")
      SELECT "of_event", k."id", k."webhook_url", date_trunc('milliseconds', now())
      FROM (
        SELECT a."id", a."webhook_url",
          row_number() OVER (PARTITION BY lower(substring(a."webhook_url" FROM '^[^:]*://(\[[^]]*\]|[^/:?#]*)')) ORDER BY a."id") AS "place"
        FROM "invoice_event" e JOIN "invoice" i ON i."id" = e."invoice_id" JOIN "api_key" a ON a."user_id" = i."user_id"
        WHERE e."id" = "of_event" AND a."is_active" AND a."webhook_url" IS NOT NULL
          AND (i."api_key_id" IS NULL OR a."id" = i."api_key_id")
      ) k
      WHERE k."place" <= 10
      ON CONFLICT ("event_id", "api_key_id") DO NOTHING
      RETURNING 1
  )
  SELECT count(*)::integer FROM "added"
$$;

-- Adds a mail that goes with an event. The dispatcher writes its text when it sends it.
CREATE FUNCTION "enqueue_mail"("under_key" text, "to_recipient" text, "with_event" bigint, "of_kind" "mail_kind") RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO "outgoing_mail" ("dedupe_key", "recipient", "event_id", "kind", "next_attempt_at")
    VALUES ("under_key", "to_recipient", "with_event", "of_kind", date_trunc('milliseconds', now()))
    ON CONFLICT ("dedupe_key") DO NOTHING
$$;

-- Writes a decision on a locked invoice with everything that goes with it: the event of a change of status, its deliveries, the
-- customer's receipt, the owner's alarm when what was paid is not any more. False when the invoice changed since it was read.
CREATE FUNCTION "settle_invoice"(
  "of_invoice" integer, "of_version" integer, "to_status" "invoice_status", "to_state" "payment_state",
  "paid" numeric, "confirmed" numeric, "received" numeric, "was_paid_at" timestamptz, "was_reversed_at" timestamptz,
  "uses_late" boolean, "reopens" boolean, "at" timestamptz
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "i" "invoice"%ROWTYPE;
  "event" "invoice_event"%ROWTYPE;
BEGIN
  PERFORM "refuse_old_snapshot"();
  SELECT * INTO "i" FROM "invoice" v WHERE v."id" = "of_invoice" AND v."version" = "of_version" FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM "check_settlement"("i", "to_status", "to_state", "paid", "confirmed", "received", "was_reversed_at");
  UPDATE "invoice" SET "status" = "to_status", "payment_state" = "to_state", "amount_paid_units" = "paid",
      "amount_confirmed_units" = "confirmed", "amount_received_units" = "received", "paid_at" = "was_paid_at",
      "reversed_at" = "was_reversed_at", "version" = "version" + 1,
      "late_accepted_at" = CASE WHEN "uses_late" THEN coalesce("late_accepted_at", "at") ELSE "late_accepted_at" END,
      "resolved_at" = CASE WHEN "reopens" THEN NULL ELSE "resolved_at" END
    WHERE "id" = "of_invoice";
  IF "to_status" = "i"."status" THEN RETURN true; END IF;
  "event" := "add_event"("of_invoice", 'invoice.statusChanged', "i"."status", "at");
  PERFORM "enqueue_deliveries"("event"."id");
  IF "to_status" IN ('paid', 'forcePaid') AND "i"."email" IS NOT NULL THEN
    PERFORM "enqueue_mail"('receipt:' || "i"."uuid", "i"."email", "event"."id", 'receipt');
  END IF;
  IF "i"."status" = 'paid' THEN
    PERFORM "enqueue_mail"('reversed:' || "i"."uuid" || ':' || "event"."sequence", u."email", "event"."id", 'reversal')
      FROM "user_account" u WHERE u."id" = "i"."user_id";
  END IF;
  RETURN true;
END $$;

-- Notes something that is no change of status: money that does not fit, of which the owner gets a mail, and what the owner does
-- about it. Of the same money the owner is told once between two changes of status.
CREATE FUNCTION "note_event"("of_invoice" integer, "of_type" text, "at" timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "i" "invoice"%ROWTYPE;
  "event" "invoice_event"%ROWTYPE;
BEGIN
  PERFORM "refuse_old_snapshot"();
  SELECT * INTO STRICT "i" FROM "invoice" v WHERE v."id" = "of_invoice" FOR NO KEY UPDATE;
  IF NOT ("of_type" IN ('invoice.resolved', 'invoice.noted')
    OR ("of_type" = 'invoice.paymentLate' AND "i"."payment_state" = 'late')
    OR ("of_type" = 'invoice.overpaid' AND "i"."payment_state" = 'overpaid'))
  THEN
    RAISE EXCEPTION 'invoice % has no event % now', "of_invoice", "of_type"
      USING ERRCODE = 'check_violation', CONSTRAINT = 'event_founded';
  END IF;
  IF "of_type" IN ('invoice.paymentLate', 'invoice.overpaid') AND (
    SELECT e."type" = "of_type" AND e."amount_received_units" = "i"."amount_received_units" FROM "invoice_event" e
    WHERE e."invoice_id" = "of_invoice" AND e."type" IN ('invoice.statusChanged', 'invoice.paymentLate', 'invoice.overpaid')
    ORDER BY e."sequence" DESC LIMIT 1
  ) THEN RETURN; END IF;
  "event" := "add_event"("of_invoice", "of_type", NULL, "at");
  IF "of_type" IN ('invoice.paymentLate', 'invoice.overpaid') THEN
    PERFORM "enqueue_mail"('misfit:' || "i"."uuid" || ':' || "event"."sequence", u."email", "event"."id", 'misfit')
      FROM "user_account" u WHERE u."id" = "i"."user_id";
  END IF;
END $$;

-- What waits for an endpoint follows its key, whoever changes that: it goes to the new address, or nowhere when there is none or
-- the key is dead. An attempt that is under way may still arrive; it counts, its outcome is not written any more.
CREATE FUNCTION "follow_webhook"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW."is_active" AND NEW."webhook_url" IS NOT NULL THEN
    UPDATE "webhook_delivery" SET "url" = NEW."webhook_url", "next_attempt_at" = date_trunc('milliseconds', now()),
        "attempt_count" = "attempt_count" + ("lease_token" IS NOT NULL)::integer, "lease_token" = NULL, "lease_expires_at" = NULL
      WHERE "api_key_id" = NEW."id" AND "status" = 'pending';
  ELSE
    UPDATE "webhook_delivery" SET "status" = 'cancelled', "completed_at" = now(), "lease_token" = NULL, "lease_expires_at" = NULL
      WHERE "api_key_id" = NEW."id" AND "status" = 'pending';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "api_key_webhook_moved" AFTER UPDATE OF "webhook_url", "is_active" ON "api_key"
  FOR EACH ROW WHEN (OLD."webhook_url" IS DISTINCT FROM NEW."webhook_url" OR OLD."is_active" IS DISTINCT FROM NEW."is_active")
  EXECUTE FUNCTION "follow_webhook"();

-- A key that was switched off stays off, also for whoever may write it.
CREATE FUNCTION "refuse_revival"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'API key % is switched off for good', OLD."id" USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "api_key_stays_dead" BEFORE UPDATE OF "is_active" ON "api_key"
  FOR EACH ROW WHEN (NOT OLD."is_active" AND NEW."is_active") EXECUTE FUNCTION "refuse_revival"();



-- A lock needs a right to write, and this column is what there is to write: but only a settlement changes it.
CREATE FUNCTION "refuse_version"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'invoice % is changed by its settlement alone', OLD."id" USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "invoice_version_kept" BEFORE UPDATE OF "version" ON "invoice"
  FOR EACH ROW WHEN (current_user IN ('incassa_web', 'incassa_watcher', 'incassa_dispatcher')) EXECUTE FUNCTION "refuse_version"();

-- Late money that was accepted stays accepted: it may have paid the invoice.
CREATE FUNCTION "refuse_late_again"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'late money of invoice % was accepted', OLD."id" USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "invoice_late_kept" BEFORE UPDATE OF "late_accepted_at" ON "invoice"
  FOR EACH ROW WHEN (OLD."late_accepted_at" IS NOT NULL AND NEW."late_accepted_at" IS DISTINCT FROM OLD."late_accepted_at")
  EXECUTE FUNCTION "refuse_late_again"();



-- Rights, whole: whatever was granted before is gone. testing/grant-matrix.ts is the same, to read.

REVOKE ALL ON ALL TABLES IN SCHEMA "public" FROM PUBLIC, "incassa_web", "incassa_watcher", "incassa_dispatcher", "incassa_signer";
REVOKE ALL ON ALL SEQUENCES IN SCHEMA "public" FROM PUBLIC, "incassa_web", "incassa_watcher", "incassa_dispatcher", "incassa_signer";
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA "public" FROM PUBLIC, "incassa_web", "incassa_watcher", "incassa_dispatcher", "incassa_signer";
REVOKE CREATE ON SCHEMA "public" FROM PUBLIC;
GRANT USAGE ON SCHEMA "public" TO "incassa_functions";
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

-- The functions' own role.
GRANT SELECT ON "coin_rule", "coin_rate", "chain_cursor", "watcher_outage", "deposit", "wallet", "pool_address", "invoice", "invoice_event", "webhook_delivery", "outgoing_mail", "ledger_account", "ledger_entry", "ledger_posting" TO "incassa_functions";
GRANT SELECT ("id", "name", "email", "tolerance_basis_points", "late_policy") ON "user_account" TO "incassa_functions";
GRANT SELECT ("id", "user_id", "webhook_url", "is_active") ON "api_key" TO "incassa_functions";
GRANT UPDATE ("claimed_at") ON "pool_address" TO "incassa_functions";
GRANT INSERT ("user_id", "coin", "type", "pool_address_id", "address") ON "wallet" TO "incassa_functions";
GRANT INSERT, UPDATE ON "invoice" TO "incassa_functions";
GRANT INSERT ON "invoice_event", "invoice_status_change", "webhook_delivery", "outgoing_mail", "deposit_attribution", "settlement_task", "ledger_entry", "ledger_posting" TO "incassa_functions";
GRANT UPDATE ("url", "status", "attempt_count", "next_attempt_at", "lease_token", "lease_expires_at", "completed_at") ON "webhook_delivery" TO "incassa_functions";
GRANT UPDATE ("wallet_id") ON "deposit" TO "incassa_functions";
GRANT INSERT ("coin", "kind", "wallet_id"), UPDATE ("balance") ON "ledger_account" TO "incassa_functions";
GRANT USAGE ON SEQUENCE "wallet_id_seq", "invoice_id_seq", "invoice_event_id_seq", "invoice_status_change_id_seq", "outgoing_mail_id_seq", "deposit_attribution_id_seq", "settlement_task_id_seq", "ledger_account_id_seq", "ledger_entry_id_seq" TO "incassa_functions";

-- Web: accounts, sessions and keys; of money and status only what the functions let through.
GRANT SELECT ON "chain_cursor", "deposit", "deposit_attribution", "wallet", "pool_address", "pool_generation", "invoice", "invoice_event", "invoice_status_change", "coin_rate", "watcher_outage", "settlement_task", "ledger_account", "ledger_entry", "ledger_posting", "webhook_delivery", "webhook_attempt", "user_account", "api_key", "api_key_audit" TO "incassa_web";
GRANT SELECT, INSERT, UPDATE, DELETE ON "session", "rate_limit" TO "incassa_web";
GRANT INSERT ("name", "email", "password_hash", "created_at") ON "user_account" TO "incassa_web";
GRANT UPDATE ("name", "email", "password_hash", "tolerance_basis_points", "late_policy") ON "user_account" TO "incassa_web";
GRANT INSERT ("uuid", "user_id", "name", "description", "webhook_url", "key_hash", "key_mask", "key_sealed", "secret_sealed", "is_active", "usage_count", "created_at") ON "api_key" TO "incassa_web";
GRANT UPDATE ("name", "description", "webhook_url", "is_active", "disabled_at", "usage_count", "last_used_at") ON "api_key" TO "incassa_web";
GRANT INSERT ("api_key_id", "user_id", "action", "at") ON "api_key_audit" TO "incassa_web";
GRANT INSERT ("wallet_id", "chain") ON "settlement_task" TO "incassa_web", "incassa_watcher";
GRANT UPDATE ("email", "resolved_at", "resolution_note", "late_accepted_at") ON "invoice" TO "incassa_web";
GRANT USAGE ON SEQUENCE "user_account_id_seq", "api_key_id_seq", "api_key_audit_id_seq", "settlement_task_id_seq" TO "incassa_web";
GRANT EXECUTE ON FUNCTION "create_primary_wallet", "create_invoice", "price_invoice", "settle_invoice", "note_event", "attach_deposit" TO "incassa_web";

-- Watcher: what the chain says, its booking, and what follows for invoices.
GRANT SELECT ON "chain_cursor", "chain_block", "deposit", "deposit_attribution", "wallet", "pool_address", "pool_generation", "invoice", "invoice_event", "invoice_status_change", "coin_rate", "watcher_outage", "settlement_task", "ledger_account", "ledger_entry", "ledger_posting" TO "incassa_watcher";
GRANT SELECT ("id", "uuid", "name", "email", "tolerance_basis_points", "late_policy") ON "user_account" TO "incassa_watcher";
GRANT INSERT, UPDATE ON "chain_cursor", "deposit" TO "incassa_watcher";
GRANT INSERT, UPDATE, DELETE ON "chain_block" TO "incassa_watcher";
GRANT DELETE ON "settlement_task" TO "incassa_watcher";
GRANT INSERT ON "watcher_outage", "ledger_entry", "ledger_posting" TO "incassa_watcher";
GRANT INSERT ("coin", "kind", "wallet_id") ON "ledger_account" TO "incassa_watcher";
-- For the lock alone.
GRANT UPDATE ("version") ON "invoice" TO "incassa_web", "incassa_watcher", "incassa_dispatcher";
GRANT SELECT ("id", "dedupe_key") ON "outgoing_mail" TO "incassa_watcher";
GRANT INSERT ("dedupe_key", "recipient", "subject", "text", "status", "last_error", "next_attempt_at") ON "outgoing_mail" TO "incassa_watcher";
GRANT USAGE ON SEQUENCE "deposit_id_seq", "settlement_task_id_seq", "watcher_outage_id_seq", "outgoing_mail_id_seq", "ledger_account_id_seq", "ledger_entry_id_seq" TO "incassa_watcher";
GRANT EXECUTE ON FUNCTION "settle_invoice", "note_event", "lock_balances" TO "incassa_watcher";

-- Dispatcher: what goes out, prices, the pool, ends of time, comparisons, housekeeping.
GRANT SELECT ON "chain_cursor", "chain_block", "deposit", "deposit_attribution", "wallet", "pool_address", "pool_generation", "watch_key", "invoice", "invoice_event", "invoice_status_change", "coin_rate", "watcher_outage", "settlement_task", "ledger_account", "ledger_entry", "ledger_posting", "webhook_delivery", "webhook_attempt", "outgoing_mail", "api_key", "session", "rate_limit", "reconciliation" TO "incassa_dispatcher";
GRANT SELECT ("id", "uuid", "name", "email", "tolerance_basis_points", "late_policy") ON "user_account" TO "incassa_dispatcher";
GRANT UPDATE ("webhook_url") ON "api_key" TO "incassa_dispatcher";
GRANT INSERT ON "pool_address", "webhook_attempt" TO "incassa_dispatcher";
GRANT INSERT, UPDATE ON "pool_generation", "coin_rate", "outgoing_mail", "reconciliation" TO "incassa_dispatcher";
GRANT UPDATE ("status", "attempt_count", "next_attempt_at", "lease_token", "lease_expires_at", "completed_at"), DELETE ON "webhook_delivery" TO "incassa_dispatcher";
GRANT DELETE ON "webhook_attempt", "session", "rate_limit" TO "incassa_dispatcher";
GRANT USAGE ON SEQUENCE "pool_address_id_seq", "outgoing_mail_id_seq" TO "incassa_dispatcher";
GRANT EXECUTE ON FUNCTION "settle_invoice", "note_event", "attach_deposit" TO "incassa_dispatcher";

-- Signer: the seed and what it publishes.
GRANT SELECT, INSERT, UPDATE ON "instance_seed", "watch_key" TO "incassa_signer";
GRANT SELECT ("id") ON "user_account" TO "incassa_signer";
GRANT USAGE ON SEQUENCE "instance_seed_id_seq", "watch_key_id_seq" TO "incassa_signer";

-- A function acts with its owner's rights: theirs are those above and no more, and nobody logs in as it.
GRANT CREATE ON SCHEMA "public" TO "incassa_functions";
DO $$
DECLARE
  "f" regprocedure;
BEGIN
  FOR "f" IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO "incassa_functions"', "f");
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA "public" FROM "incassa_functions";
