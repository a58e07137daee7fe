-- A chain and an asset on it become two things: what belongs to blocks is keyed by chain, what belongs to money by coin.
-- Columns are renamed and filled, nothing is dropped that holds a fact.

CREATE TYPE "chain" AS ENUM ('ethereum', 'bsc', 'ton', 'tron', 'litecoin');
CREATE TYPE "transfer_kind" AS ENUM ('payment', 'coinbase', 'peg_out');

-- For this migration only: the chain of each coin so far.
CREATE FUNCTION "chain_of_coin"("of_coin" "coin") RETURNS "chain" LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE "of_coin" WHEN 'ETH' THEN 'ethereum' WHEN 'BNB' THEN 'bsc' WHEN 'TON' THEN 'ton' WHEN 'TRX' THEN 'tron'
    WHEN 'LTC' THEN 'litecoin' END::"chain"
$$;

ALTER TABLE "chain_cursor" RENAME COLUMN "block_time" TO "chain_time";
ALTER TABLE "chain_cursor" RENAME COLUMN "coin" TO "chain";
ALTER TABLE "chain_cursor" ALTER COLUMN "chain" TYPE "chain" USING "chain_of_coin"("chain");
ALTER TABLE "chain_cursor" ADD COLUMN "confirmed_height" BIGINT;
UPDATE "chain_cursor" SET "confirmed_height" = CASE WHEN "height" - "confirmations" + 1 >= 0 THEN "height" - "confirmations" + 1 END;

ALTER TABLE "chain_block" RENAME COLUMN "time" TO "chain_time";
ALTER TABLE "chain_block" RENAME COLUMN "coin" TO "chain";
ALTER TABLE "chain_block" ALTER COLUMN "chain" TYPE "chain" USING "chain_of_coin"("chain");

ALTER TABLE "watcher_outage" RENAME COLUMN "coin" TO "chain";
ALTER TABLE "watcher_outage" ALTER COLUMN "chain" TYPE "chain" USING "chain_of_coin"("chain");
ALTER INDEX "watcher_outage_coin_ended_at_idx" RENAME TO "watcher_outage_chain_ended_at_idx";

ALTER TABLE "settlement_task" RENAME COLUMN "coin" TO "chain";
ALTER TABLE "settlement_task" ALTER COLUMN "chain" TYPE "chain" USING "chain_of_coin"("chain");
ALTER INDEX "settlement_task_coin_id_idx" RENAME TO "settlement_task_chain_id_idx";

-- Every deposit so far is of a chain on which one transaction moves money to an address once: its hash is its key.
ALTER TABLE "deposit" ADD COLUMN "chain" "chain", ADD COLUMN "transfer_key" TEXT,
  ADD COLUMN "kind" "transfer_kind" NOT NULL DEFAULT 'payment',
  ADD COLUMN "spends" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "extra_confirmations" INTEGER NOT NULL DEFAULT 0;
-- One rewrite without the indexes that change: an update of each row would write all of them twice, under the same lock.
DROP INDEX "deposit_coin_epoch_tx_hash_tx_index_key", "deposit_coin_block_height_idx", "deposit_unbooked", "deposit_lost";
ALTER TABLE "deposit"
  ALTER COLUMN "chain" TYPE "chain" USING "chain_of_coin"("coin"),
  ALTER COLUMN "transfer_key" TYPE TEXT USING "tx_hash" || CASE "tx_index" WHEN 0 THEN '' ELSE ':' || "tx_index" END,
  ALTER COLUMN "chain" SET NOT NULL, ALTER COLUMN "transfer_key" SET NOT NULL;
ALTER TABLE "deposit" DROP COLUMN "tx_index";
CREATE UNIQUE INDEX "deposit_chain_epoch_transfer_key_key" ON "deposit"("chain", "epoch", "transfer_key");
CREATE INDEX "deposit_chain_block_height_idx" ON "deposit"("chain", "block_height");
ALTER TABLE "deposit" ADD CONSTRAINT "deposit_extra_confirmations_not_negative" CHECK ("extra_confirmations" >= 0);

ALTER TABLE "invoice" ADD COLUMN "chain" "chain";
-- No trigger looks at the new column; the others stay as they are.
UPDATE "invoice" SET "chain" = "chain_of_coin"("coin") WHERE "coin" IS NOT NULL;
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_chain_with_coin" CHECK (("coin" IS NULL) = ("chain" IS NULL));

-- A key per merchant where the chain needs it; one for all where it does not.
ALTER TABLE "watch_key" ADD COLUMN "merchant_id" INTEGER;
-- Never without its merchant: a key of nobody is the key of all.
ALTER TABLE "watch_key" ADD CONSTRAINT "watch_key_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "user_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "pool_address" ADD COLUMN "merchant_id" INTEGER;
DROP INDEX "watch_key_family_purpose_key";

DROP FUNCTION "claim_wallet"(integer, "coin", "wallet_type", "address_family");
DROP FUNCTION "chain_of_coin"("coin");



-- Written by hand from here on: what the schema language cannot say.

CREATE UNIQUE INDEX "watch_key_of_all" ON "watch_key" ("family", "purpose") WHERE "merchant_id" IS NULL;
CREATE UNIQUE INDEX "watch_key_of_merchant" ON "watch_key" ("family", "purpose", "merchant_id") WHERE "merchant_id" IS NOT NULL;

DROP INDEX "pool_address_free";
CREATE INDEX "pool_address_free" ON "pool_address" ("family", "purpose", coalesce("merchant_id", 0), "id") WHERE "claimed_at" IS NULL;

CREATE INDEX "deposit_unbooked" ON "deposit" ("chain", "block_height") WHERE "posted_at" IS NULL AND "orphaned_at" IS NULL;
CREATE INDEX "deposit_lost" ON "deposit" ("chain") WHERE "posted_at" IS NOT NULL AND "orphaned_at" IS NOT NULL;
-- What is in the mempool is asked for with every look at it.
CREATE INDEX "deposit_unmined" ON "deposit" ("chain", "epoch") WHERE "block_height" IS NULL AND "orphaned_at" IS NULL;
-- The few that wait for more confirmations than their chain asks for.
CREATE INDEX "deposit_slow" ON "deposit" ("chain", "epoch") WHERE "extra_confirmations" > 0 AND "posted_at" IS NULL;
DROP INDEX "invoice_pending_expiry";
CREATE INDEX "invoice_pending_expiry" ON "invoice" ("chain", "expires_at") WHERE "status" = 'pending';

-- Takes the oldest free address for a new wallet. Free means: nobody has it, no money came to it before anybody had it, and
-- the chain's watcher already looks for it (its loaded generation reached the address's own), so that no payment can arrive
-- unseen. Empty when the pool is dry.
CREATE FUNCTION "claim_wallet"("for_user" integer, "for_coin" "coin", "on_chain" "chain", "of_type" "wallet_type", "of_family" "address_family", "has_own_key" boolean)
RETURNS TABLE ("id" integer, "uuid" uuid, "address" text) LANGUAGE plpgsql AS $$
DECLARE
  "claimed" "pool_address"%ROWTYPE;
BEGIN
  UPDATE "pool_address" AS p SET "claimed_at" = now()
  WHERE p."id" = (
    SELECT f."id" FROM "pool_address" f
    WHERE f."family" = "of_family" AND f."purpose" = "of_type"::text::"address_purpose" AND f."claimed_at" IS NULL
      AND coalesce(f."merchant_id", 0) = CASE WHEN "has_own_key" THEN "for_user" ELSE 0 END
      AND f."generation" <= (SELECT c."loaded_generation" FROM "chain_cursor" c WHERE c."chain" = "on_chain")
      AND NOT EXISTS (SELECT 1 FROM "deposit" d WHERE d."pool_address_id" = f."id")
    ORDER BY f."id" LIMIT 1 FOR UPDATE OF f SKIP LOCKED
  ) RETURNING * INTO "claimed";
  IF NOT FOUND THEN RETURN; END IF;
  RETURN QUERY INSERT INTO "wallet" AS w ("user_id", "coin", "type", "pool_address_id", "address")
    VALUES ("for_user", "for_coin", "of_type", "claimed"."id", "claimed"."address")
    RETURNING w."id", w."uuid", w."address";
END $$;

-- As before, with the task queued for the deposit's chain.
CREATE OR REPLACE FUNCTION "attach_deposit"("of_deposit" bigint, "to_wallet" integer, "by_operator" text, "with_note" text)
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
  INSERT INTO "settlement_task" ("wallet_id", "chain") VALUES ("to_wallet", "d"."chain");
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

-- What is priced once stays priced so, its chain too.
DROP TRIGGER "invoice_repricing" ON "invoice";
CREATE TRIGGER "invoice_repricing" BEFORE UPDATE OF "coin", "chain", "amount_units", "rate", "wallet_id", "amount_eur_cents" ON "invoice"
  FOR EACH ROW WHEN (
    OLD."amount_eur_cents" IS DISTINCT FROM NEW."amount_eur_cents"
    OR (OLD."coin" IS NOT NULL AND (
      OLD."coin" IS DISTINCT FROM NEW."coin" OR OLD."chain" IS DISTINCT FROM NEW."chain"
      OR OLD."amount_units" IS DISTINCT FROM NEW."amount_units"
      OR OLD."rate" IS DISTINCT FROM NEW."rate" OR OLD."wallet_id" IS DISTINCT FROM NEW."wallet_id"))
  ) EXECUTE FUNCTION "refuse_repricing"();

GRANT UPDATE ("chain") ON "invoice" TO "incassa_web";
-- The signer publishes a key for every merchant where a chain needs it.
GRANT SELECT ("id") ON "user_account" TO "incassa_signer";
