-- CreateEnum
CREATE TYPE "account_kind" AS ENUM ('wallet', 'held', 'chain', 'unattributed', 'fees', 'reorg_loss');

-- AlterTable
ALTER TABLE "deposit" ADD COLUMN     "bookings" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "posted_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "ledger_account" (
    "id" BIGSERIAL NOT NULL,
    "coin" "coin" NOT NULL,
    "kind" "account_kind" NOT NULL,
    "wallet_id" INTEGER,
    "balance" DECIMAL(78,0) NOT NULL DEFAULT 0,

    CONSTRAINT "ledger_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "id" BIGSERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "coin" "coin" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_posting" (
    "entry_id" BIGINT NOT NULL,
    "account_id" BIGINT NOT NULL,
    "amount_units" DECIMAL(78,0) NOT NULL,

    CONSTRAINT "ledger_posting_pkey" PRIMARY KEY ("entry_id","account_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entry_key_key" ON "ledger_entry"("key");

-- CreateIndex
CREATE INDEX "ledger_posting_account_id_idx" ON "ledger_posting"("account_id");

-- AddForeignKey
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_wallet_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "wallet"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_posting" ADD CONSTRAINT "ledger_posting_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "ledger_entry"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_posting" ADD CONSTRAINT "ledger_posting_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "ledger_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



-- Written by hand from here on: what the schema language cannot say.

-- One account of a kind per wallet, and one per coin for those that belong to no wallet.
CREATE UNIQUE INDEX "ledger_account_of_wallet" ON "ledger_account" ("wallet_id", "kind") WHERE "wallet_id" IS NOT NULL;
CREATE UNIQUE INDEX "ledger_account_of_coin" ON "ledger_account" ("coin", "kind") WHERE "wallet_id" IS NULL;

-- Confirmed money that still waits for its booking, and booked money that a reorg took.
CREATE INDEX "deposit_unbooked" ON "deposit" ("coin", "block_height") WHERE "posted_at" IS NULL AND "orphaned_at" IS NULL;
CREATE INDEX "deposit_lost" ON "deposit" ("coin") WHERE "posted_at" IS NOT NULL AND "orphaned_at" IS NOT NULL;

ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_balance_not_negative" CHECK ("balance" >= 0);
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_owner"
  CHECK (("kind" IN ('wallet', 'held', 'reorg_loss')) = ("wallet_id" IS NOT NULL));
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_balance_where_kept" CHECK ("kind" IN ('wallet', 'held') OR "balance" = 0);
ALTER TABLE "ledger_posting" ADD CONSTRAINT "ledger_posting_moves" CHECK ("amount_units" <> 0);

-- The parts of an entry sum to zero in its coin, by the end of the transaction.
CREATE FUNCTION "check_entry_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM "ledger_entry" e JOIN "ledger_posting" p ON p."entry_id" = e."id" JOIN "ledger_account" a ON a."id" = p."account_id"
    WHERE e."id" = NEW."entry_id" HAVING sum(p."amount_units") <> 0 OR bool_or(a."coin" <> e."coin")
  ) THEN
    RAISE EXCEPTION 'ledger entry % does not balance', NEW."entry_id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "ledger_posting_balances" AFTER INSERT ON "ledger_posting" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "check_entry_balance"();

-- What was booked stays booked: a mistake is corrected by another entry.
CREATE FUNCTION "refuse_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is only written forward' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "ledger_posting_immutable" BEFORE UPDATE OR DELETE ON "ledger_posting"
  FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();
CREATE TRIGGER "ledger_entry_immutable" BEFORE UPDATE OR DELETE ON "ledger_entry"
  FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();

-- Balances follow the postings and nothing else: no role may write them. Accounts are locked in the order of their ids.
CREATE FUNCTION "apply_postings"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = "public" AS $$
BEGIN
  PERFORM 1 FROM "ledger_account" a
    WHERE a."kind" IN ('wallet', 'held') AND a."id" IN (SELECT n."account_id" FROM "new_postings" n)
    ORDER BY a."id" FOR NO KEY UPDATE;
  UPDATE "ledger_account" a SET "balance" = a."balance" + s."moved"
    FROM (SELECT n."account_id", sum(n."amount_units") AS "moved" FROM "new_postings" n GROUP BY n."account_id") s
    WHERE a."id" = s."account_id" AND a."kind" IN ('wallet', 'held');
  RETURN NULL;
END $$;
CREATE TRIGGER "ledger_posting_apply" AFTER INSERT ON "ledger_posting" REFERENCING NEW TABLE AS "new_postings"
  FOR EACH STATEMENT EXECUTE FUNCTION "apply_postings"();

-- Locks wallets' accounts in the order of their ids and tells their balances: locking needs a right that nobody has.
CREATE FUNCTION "lock_balances"("of_wallets" integer[]) RETURNS TABLE ("wallet_id" integer, "balance" numeric)
LANGUAGE sql SECURITY DEFINER SET search_path = "public" AS $$
  SELECT a."wallet_id", a."balance" FROM "ledger_account" a
  WHERE a."wallet_id" = ANY ("of_wallets") AND a."kind" = 'wallet' ORDER BY a."id" FOR NO KEY UPDATE
$$;

GRANT USAGE ON ALL SEQUENCES IN SCHEMA "public" TO "incassa_web", "incassa_watcher", "incassa_dispatcher", "incassa_signer";
GRANT SELECT ON "ledger_account", "ledger_entry", "ledger_posting" TO "incassa_web", "incassa_watcher", "incassa_dispatcher", "incassa_signer";
GRANT INSERT ("coin", "kind", "wallet_id") ON "ledger_account" TO "incassa_watcher";
GRANT INSERT ON "ledger_entry", "ledger_posting" TO "incassa_watcher";
