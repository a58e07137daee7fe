-- CreateEnum
CREATE TYPE "late_policy" AS ENUM ('review', 'accept');

-- AlterTable
ALTER TABLE "invoice" ADD COLUMN     "amount_received_units" DECIMAL(78,0) NOT NULL DEFAULT 0,
ADD COLUMN     "late_accepted_at" TIMESTAMPTZ(3),
ADD COLUMN     "resolution_note" TEXT,
ADD COLUMN     "resolved_at" TIMESTAMPTZ(3),
ADD COLUMN     "tolerance_basis_points" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "user_account" ADD COLUMN     "late_policy" "late_policy" NOT NULL DEFAULT 'review',
ADD COLUMN     "tolerance_basis_points" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "watcher_outage" (
    "id" BIGSERIAL NOT NULL,
    "coin" "coin" NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "watcher_outage_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deposit_attribution" (
    "id" BIGSERIAL NOT NULL,
    "deposit_id" BIGINT NOT NULL,
    "wallet_id" INTEGER NOT NULL,
    "operator" TEXT NOT NULL,
    "note" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deposit_attribution_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_status_change" (
    "id" BIGSERIAL NOT NULL,
    "invoice_id" INTEGER NOT NULL,
    "status" "invoice_status" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invoice_status_change_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "watcher_outage_coin_ended_at_idx" ON "watcher_outage"("coin", "ended_at");

-- CreateIndex
CREATE INDEX "deposit_attribution_deposit_id_idx" ON "deposit_attribution"("deposit_id");

-- CreateIndex
CREATE INDEX "invoice_status_change_invoice_id_id_idx" ON "invoice_status_change"("invoice_id", "id");

-- CreateIndex
CREATE INDEX "deposit_pool_address_id_idx" ON "deposit"("pool_address_id");

-- AddForeignKey
ALTER TABLE "invoice_status_change" ADD CONSTRAINT "invoice_status_change_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



-- Written by hand from here on: what the schema language cannot say.

ALTER TABLE "user_account" ADD CONSTRAINT "user_tolerance_range" CHECK ("tolerance_basis_points" BETWEEN 0 AND 1000);
ALTER TABLE "watcher_outage" ADD CONSTRAINT "watcher_outage_lasts" CHECK ("ended_at" > "started_at");

-- The history of statuses is complete because no writer can leave it out.
CREATE FUNCTION "keep_status_history"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = "public" AS $$
BEGIN
  INSERT INTO "invoice_status_change" ("invoice_id", "status", "at")
    VALUES (NEW."id", NEW."status", CASE WHEN TG_OP = 'INSERT' THEN NEW."created_at" ELSE now() END);
  RETURN NULL;
END $$;
CREATE TRIGGER "invoice_status_kept" AFTER INSERT ON "invoice" FOR EACH ROW EXECUTE FUNCTION "keep_status_history"();
CREATE TRIGGER "invoice_status_change_kept" AFTER UPDATE OF "status" ON "invoice"
  FOR EACH ROW WHEN (OLD."status" IS DISTINCT FROM NEW."status") EXECUTE FUNCTION "keep_status_history"();

-- As before, but an address that received money before anybody had it is never given out: that money is not its owner's.
CREATE OR REPLACE FUNCTION "claim_wallet"("for_user" integer, "for_coin" "coin", "of_type" "wallet_type", "of_family" "address_family")
RETURNS TABLE ("id" integer, "uuid" uuid, "address" text) LANGUAGE plpgsql AS $$
DECLARE
  "claimed" "pool_address"%ROWTYPE;
BEGIN
  UPDATE "pool_address" AS p SET "claimed_at" = now()
  WHERE p."id" = (
    SELECT f."id" FROM "pool_address" f
    WHERE f."family" = "of_family" AND f."purpose" = "of_type"::text::"address_purpose" AND f."claimed_at" IS NULL
      AND f."generation" <= (SELECT c."loaded_generation" FROM "chain_cursor" c WHERE c."coin" = "for_coin")
      AND NOT EXISTS (SELECT 1 FROM "deposit" d WHERE d."pool_address_id" = f."id")
    ORDER BY f."id" LIMIT 1 FOR UPDATE OF f SKIP LOCKED
  ) RETURNING * INTO "claimed";
  IF NOT FOUND THEN RETURN; END IF;
  RETURN QUERY INSERT INTO "wallet" AS w ("user_id", "coin", "type", "pool_address_id", "address")
    VALUES ("for_user", "for_coin", "of_type", "claimed"."id", "claimed"."address")
    RETURNING w."id", w."uuid", w."address";
END $$;

-- Gives money that nobody expected to a wallet of its coin: books it there, has its invoice decided again, and keeps who did
-- it. One function, because no process may write the ledger for this, and an operator must not do half of it.
CREATE FUNCTION "attach_deposit"("of_deposit" bigint, "to_wallet" integer, "by_operator" text, "with_note" text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = "public" AS $$
DECLARE
  "d" "deposit"%ROWTYPE;
  "entry" bigint;
BEGIN
  SELECT * INTO "d" FROM "deposit" WHERE "id" = "of_deposit" AND "wallet_id" IS NULL FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'deposit % is not unattributed', "of_deposit" USING ERRCODE = 'no_data_found'; END IF;
  PERFORM 1 FROM "wallet" w WHERE w."id" = "to_wallet" AND w."coin" = "d"."coin";
  IF NOT FOUND THEN RAISE EXCEPTION 'wallet % is not one of %', "to_wallet", "d"."coin" USING ERRCODE = 'no_data_found'; END IF;
  UPDATE "deposit" SET "wallet_id" = "to_wallet" WHERE "id" = "of_deposit";
  INSERT INTO "deposit_attribution" ("deposit_id", "wallet_id", "operator", "note")
    VALUES ("of_deposit", "to_wallet", "by_operator", "with_note");
  INSERT INTO "settlement_task" ("wallet_id", "coin") VALUES ("to_wallet", "d"."coin");
  IF "d"."posted_at" IS NULL THEN RETURN; END IF;
  INSERT INTO "ledger_account" ("coin", "kind", "wallet_id") VALUES ("d"."coin", 'wallet', "to_wallet") ON CONFLICT DO NOTHING;
  INSERT INTO "ledger_entry" ("key", "kind", "coin")
    VALUES ('attribution:' || "d"."id" || ':' || "d"."bookings", 'attribution', "d"."coin") RETURNING "id" INTO "entry";
  INSERT INTO "ledger_posting" ("entry_id", "account_id", "amount_units")
    SELECT "entry", a."id", CASE a."kind" WHEN 'wallet' THEN "d"."amount_units" ELSE -"d"."amount_units" END
    FROM "ledger_account" a
    WHERE (a."kind" = 'wallet' AND a."wallet_id" = "to_wallet")
       OR (a."kind" = 'unattributed' AND a."coin" = "d"."coin" AND a."wallet_id" IS NULL);
END $$;
REVOKE EXECUTE ON FUNCTION "attach_deposit" FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "attach_deposit" TO "incassa_web", "incassa_dispatcher";

-- What the operator still has to find an owner for.
CREATE INDEX "deposit_unattributed" ON "deposit" ("id") WHERE "wallet_id" IS NULL AND "orphaned_at" IS NULL;

GRANT USAGE ON ALL SEQUENCES IN SCHEMA "public" TO "incassa_web", "incassa_watcher", "incassa_dispatcher", "incassa_signer";
GRANT SELECT ON "invoice_status_change", "watcher_outage", "deposit_attribution" TO "incassa_web", "incassa_watcher", "incassa_dispatcher";
GRANT INSERT ON "watcher_outage" TO "incassa_watcher";
GRANT SELECT ("tolerance_basis_points", "late_policy") ON "user_account" TO "incassa_watcher", "incassa_dispatcher";
GRANT UPDATE ("tolerance_basis_points", "late_policy") ON "user_account" TO "incassa_web";
GRANT UPDATE ("amount_received_units", "late_accepted_at", "resolved_at", "resolution_note") ON "invoice" TO "incassa_web";
GRANT UPDATE ("amount_received_units", "late_accepted_at", "resolved_at") ON "invoice" TO "incassa_watcher", "incassa_dispatcher";
