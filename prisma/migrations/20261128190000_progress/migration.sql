-- How far a chain is followed decides what is sold on it; and money that no scan saw can be brought in.

ALTER TYPE "transfer_kind" ADD VALUE 'credit';

ALTER TABLE "chain_cursor"
  ADD COLUMN "head_time" TIMESTAMPTZ(3),
  ADD COLUMN "looked_at" TIMESTAMPTZ(3),
  ADD COLUMN "unread_since" TIMESTAMPTZ(3),
  ADD COLUMN "branch_height" BIGINT;
-- So far it said when somebody had looked.
UPDATE "chain_cursor" SET "looked_at" = "updated_at";

CREATE TABLE "rescan" (
    "id" BIGSERIAL NOT NULL,
    "chain" "chain" NOT NULL,
    "epoch" INTEGER NOT NULL,
    "from_height" BIGINT NOT NULL,
    "to_height" BIGINT NOT NULL,
    "next_height" BIGINT NOT NULL,
    "operator" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "found_deposits" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "rescan_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "rescan_chain_finished_at_idx" ON "rescan"("chain", "finished_at");

CREATE TABLE "deposit_credit" (
    "id" BIGSERIAL NOT NULL,
    "deposit_id" BIGINT NOT NULL,
    "operator" TEXT NOT NULL,
    "note" TEXT,
    "height" BIGINT NOT NULL,
    "balance_units" DECIMAL(78,0) NOT NULL,
    "expected_units" DECIMAL(78,0) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deposit_credit_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "deposit_credit_deposit_id_idx" ON "deposit_credit"("deposit_id");

CREATE TABLE "address_surplus" (
    "coin" "coin" NOT NULL,
    "pool_address_id" BIGINT NOT NULL,
    "units" DECIMAL(78,0) NOT NULL,
    "height" BIGINT NOT NULL,
    "found_at" TIMESTAMPTZ(3) NOT NULL,
    "told_units" DECIMAL(78,0) NOT NULL DEFAULT 0,

    CONSTRAINT "address_surplus_pkey" PRIMARY KEY ("coin","pool_address_id")
);

CREATE INDEX "address_surplus_pool_address_id_idx" ON "address_surplus"("pool_address_id");



-- Written by hand from here on: what the schema language cannot say.

ALTER TABLE "rescan" ADD CONSTRAINT "rescan_range" CHECK ("from_height" >= 0 AND "to_height" >= "from_height"
  AND "next_height" BETWEEN "from_height" AND "to_height" + 1 AND ("finished_at" IS NULL OR "next_height" > "to_height"));
ALTER TABLE "address_surplus" ADD CONSTRAINT "address_surplus_positive" CHECK ("units" > 0 AND "told_units" >= 0);

-- Tells a merchant of money on an invoice's address that the records do not explain: an event and a mail, once, and again when
-- there is more of it. Dust, which anyone can send for next to nothing, is told of to nobody. True when somebody is told.
CREATE FUNCTION "note_surplus"("of_invoice" integer, "at" timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "i" "invoice"%ROWTYPE;
  "event" "invoice_event"%ROWTYPE;
BEGIN
  PERFORM "refuse_old_snapshot"();
  SELECT * INTO STRICT "i" FROM "invoice" v WHERE v."id" = "of_invoice" FOR NO KEY UPDATE;
  UPDATE "address_surplus" s SET "told_units" = s."units"
    FROM "wallet" w JOIN "coin_rule" r ON r."coin" = w."coin"
    WHERE w."id" = "i"."wallet_id" AND s."pool_address_id" = w."pool_address_id" AND s."coin" = w."coin"
      AND s."units" - s."told_units" >= r."told_units";
  IF NOT FOUND THEN RETURN false; END IF;
  "event" := "add_event"("of_invoice", 'invoice.unexplained', NULL, "at");
  PERFORM "enqueue_mail"('unexplained:' || "i"."uuid" || ':' || "event"."sequence", u."email", "event"."id", 'misfit')
    FROM "user_account" u WHERE u."id" = "i"."user_id";
  RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION "note_surplus" FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "note_surplus" TO "incassa_dispatcher";
GRANT SELECT, INSERT, UPDATE, DELETE ON "address_surplus" TO "incassa_dispatcher";
GRANT SELECT ON "address_surplus" TO "incassa_web";
GRANT SELECT, UPDATE ("told_units") ON "address_surplus" TO "incassa_functions";
GRANT SELECT, UPDATE ("next_height", "found_deposits", "last_error", "finished_at") ON "rescan" TO "incassa_watcher";
GRANT CREATE ON SCHEMA "public" TO "incassa_functions";
ALTER FUNCTION "note_surplus" OWNER TO "incassa_functions";
REVOKE CREATE ON SCHEMA "public" FROM "incassa_functions";
