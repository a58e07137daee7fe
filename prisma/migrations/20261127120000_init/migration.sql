-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "coin" AS ENUM ('ETH', 'BNB', 'TON', 'TRX', 'LTC');

-- CreateEnum
CREATE TYPE "invoice_status" AS ENUM ('pending', 'paid', 'forcePaid', 'expired');

-- CreateEnum
CREATE TYPE "payment_state" AS ENUM ('unpaid', 'seen', 'partial', 'confirming', 'settled', 'overpaid', 'late', 'reversed');

-- CreateEnum
CREATE TYPE "address_family" AS ENUM ('EVM', 'TON', 'TRON', 'LITECOIN');

-- CreateEnum
CREATE TYPE "address_purpose" AS ENUM ('primary', 'invoice');

-- CreateEnum
CREATE TYPE "wallet_type" AS ENUM ('primary', 'invoice');

-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'delivered', 'failed', 'cancelled');

-- CreateTable
CREATE TABLE "api_key" (
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "webhook_url" TEXT,
    "key_hash" CHAR(64) NOT NULL,
    "key_mask" TEXT NOT NULL,
    "key_sealed" BYTEA NOT NULL,
    "secret_sealed" BYTEA NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "usage_count" INTEGER NOT NULL DEFAULT 0,
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key_audit" (
    "id" BIGSERIAL NOT NULL,
    "api_key_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_key_audit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_account" (
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "is_admin" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "chain_cursor" (
    "coin" "coin" NOT NULL,
    "genesis_hash" TEXT,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "height" BIGINT,
    "hash" TEXT,
    "block_time" TIMESTAMPTZ(3),
    "head_height" BIGINT,
    "finalized_height" BIGINT,
    "loaded_generation" BIGINT NOT NULL DEFAULT 0,
    "lease_token" BIGINT NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_expires_at" TIMESTAMPTZ(3),
    "paused_reason" TEXT,
    "confirmations" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "chain_cursor_pkey" PRIMARY KEY ("coin")
);

-- CreateTable
CREATE TABLE "chain_block" (
    "coin" "coin" NOT NULL,
    "height" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "parent_hash" TEXT NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_block_pkey" PRIMARY KEY ("coin","height")
);

-- CreateTable
CREATE TABLE "deposit" (
    "id" BIGSERIAL NOT NULL,
    "coin" "coin" NOT NULL,
    "tx_hash" TEXT NOT NULL,
    "tx_index" INTEGER NOT NULL DEFAULT 0,
    "pool_address_id" BIGINT NOT NULL,
    "wallet_id" INTEGER,
    "from_address" TEXT,
    "amount_units" DECIMAL(78,0) NOT NULL,
    "block_height" BIGINT,
    "block_hash" TEXT,
    "block_time" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "orphaned_at" TIMESTAMPTZ(3),
    "epoch" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "deposit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settlement_task" (
    "id" BIGSERIAL NOT NULL,
    "wallet_id" INTEGER NOT NULL,
    "coin" "coin" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "settlement_task_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice" (
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" INTEGER NOT NULL,
    "api_key_id" INTEGER,
    "description" TEXT,
    "external_code" TEXT,
    "email" TEXT,
    "amount_eur_cents" INTEGER NOT NULL,
    "coin" "coin",
    "amount_units" DECIMAL(78,0),
    "rate" DECIMAL(38,18),
    "wallet_id" INTEGER,
    "chain_epoch" INTEGER,
    "expiry_minutes" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" "invoice_status" NOT NULL DEFAULT 'pending',
    "payment_state" "payment_state" NOT NULL DEFAULT 'unpaid',
    "amount_paid_units" DECIMAL(78,0) NOT NULL DEFAULT 0,
    "amount_confirmed_units" DECIMAL(78,0) NOT NULL DEFAULT 0,
    "paid_at" TIMESTAMPTZ(3),
    "reversed_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "invoice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_event" (
    "id" BIGSERIAL NOT NULL,
    "invoice_id" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "from_status" "invoice_status" NOT NULL,
    "to_status" "invoice_status" NOT NULL,
    "payment_state" "payment_state" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invoice_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "instance_seed" (
    "id" SERIAL NOT NULL,
    "network" TEXT NOT NULL,
    "seal_id" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "kek_version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instance_seed_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "watch_key" (
    "id" SERIAL NOT NULL,
    "family" "address_family" NOT NULL,
    "purpose" "address_purpose" NOT NULL,
    "path" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "watch_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pool_generation" (
    "family" "address_family" NOT NULL,
    "generation" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "pool_generation_pkey" PRIMARY KEY ("family")
);

-- CreateTable
CREATE TABLE "pool_address" (
    "id" BIGSERIAL NOT NULL,
    "watch_key_id" INTEGER NOT NULL,
    "family" "address_family" NOT NULL,
    "purpose" "address_purpose" NOT NULL,
    "derivation_index" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "generation" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimed_at" TIMESTAMPTZ(3),

    CONSTRAINT "pool_address_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outgoing_mail" (
    "id" BIGSERIAL NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_token" UUID,
    "lease_expires_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "outgoing_mail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "coin_rate" (
    "coin" "coin" NOT NULL,
    "rate" DECIMAL(38,18) NOT NULL,
    "sources" JSONB NOT NULL,
    "fetched_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "coin_rate_pkey" PRIMARY KEY ("coin")
);

-- CreateTable
CREATE TABLE "wallet" (
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" INTEGER NOT NULL,
    "coin" "coin" NOT NULL,
    "type" "wallet_type" NOT NULL,
    "pool_address_id" BIGINT NOT NULL,
    "address" TEXT NOT NULL,
    "tag" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wallet_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "event_id" BIGINT NOT NULL,
    "api_key_id" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_token" UUID,
    "lease_expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempt" (
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "http_status" INTEGER,
    "error_code" TEXT,
    "response" TEXT,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_key_uuid_key" ON "api_key"("uuid");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_key_hash_key" ON "api_key"("key_hash");

-- CreateIndex
CREATE INDEX "api_key_user_id_idx" ON "api_key"("user_id");

-- CreateIndex
CREATE INDEX "api_key_audit_api_key_id_idx" ON "api_key_audit"("api_key_id");

-- CreateIndex
CREATE UNIQUE INDEX "user_account_uuid_key" ON "user_account"("uuid");

-- CreateIndex
CREATE UNIQUE INDEX "user_account_email_key" ON "user_account"("email");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- CreateIndex
CREATE INDEX "deposit_wallet_id_idx" ON "deposit"("wallet_id");

-- CreateIndex
CREATE INDEX "deposit_coin_block_height_idx" ON "deposit"("coin", "block_height");

-- CreateIndex
CREATE UNIQUE INDEX "deposit_coin_epoch_tx_hash_tx_index_key" ON "deposit"("coin", "epoch", "tx_hash", "tx_index");

-- CreateIndex
CREATE INDEX "settlement_task_coin_id_idx" ON "settlement_task"("coin", "id");

-- CreateIndex
CREATE INDEX "settlement_task_wallet_id_idx" ON "settlement_task"("wallet_id");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_uuid_key" ON "invoice"("uuid");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_wallet_id_key" ON "invoice"("wallet_id");

-- CreateIndex
CREATE INDEX "invoice_user_id_id_idx" ON "invoice"("user_id", "id" DESC);

-- CreateIndex
CREATE INDEX "invoice_status_coin_expires_at_idx" ON "invoice"("status", "coin", "expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_event_invoice_id_sequence_key" ON "invoice_event"("invoice_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "instance_seed_network_key" ON "instance_seed"("network");

-- CreateIndex
CREATE UNIQUE INDEX "instance_seed_seal_id_key" ON "instance_seed"("seal_id");

-- CreateIndex
CREATE UNIQUE INDEX "watch_key_family_purpose_key" ON "watch_key"("family", "purpose");

-- CreateIndex
CREATE INDEX "pool_address_family_generation_idx" ON "pool_address"("family", "generation");

-- CreateIndex
CREATE UNIQUE INDEX "pool_address_family_address_key" ON "pool_address"("family", "address");

-- CreateIndex
CREATE UNIQUE INDEX "pool_address_watch_key_id_derivation_index_key" ON "pool_address"("watch_key_id", "derivation_index");

-- CreateIndex
CREATE UNIQUE INDEX "outgoing_mail_dedupe_key_key" ON "outgoing_mail"("dedupe_key");

-- CreateIndex
CREATE INDEX "outgoing_mail_status_next_attempt_at_idx" ON "outgoing_mail"("status", "next_attempt_at");

-- CreateIndex
CREATE UNIQUE INDEX "wallet_uuid_key" ON "wallet"("uuid");

-- CreateIndex
CREATE UNIQUE INDEX "wallet_pool_address_id_key" ON "wallet"("pool_address_id");

-- CreateIndex
CREATE INDEX "wallet_user_id_coin_idx" ON "wallet"("user_id", "coin");

-- CreateIndex
CREATE INDEX "webhook_delivery_status_next_attempt_at_idx" ON "webhook_delivery"("status", "next_attempt_at");

-- CreateIndex
CREATE INDEX "webhook_delivery_api_key_id_status_idx" ON "webhook_delivery"("api_key_id", "status");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_event_id_api_key_id_key" ON "webhook_delivery"("event_id", "api_key_id");

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_audit" ADD CONSTRAINT "api_key_audit_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deposit" ADD CONSTRAINT "deposit_wallet_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "wallet"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_wallet_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "wallet"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_event" ADD CONSTRAINT "invoice_event_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pool_address" ADD CONSTRAINT "pool_address_watch_key_id_fkey" FOREIGN KEY ("watch_key_id") REFERENCES "watch_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallet" ADD CONSTRAINT "wallet_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallet" ADD CONSTRAINT "wallet_pool_address_id_fkey" FOREIGN KEY ("pool_address_id") REFERENCES "pool_address"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "invoice_event"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_delivery"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



-- Written by hand from here on: what the schema language cannot say.

-- One primary wallet per merchant and coin.
CREATE UNIQUE INDEX "wallet_one_primary" ON "wallet" ("user_id", "coin") WHERE "type" = 'primary';

-- Claiming an address reads the first free row of its family and purpose.
CREATE INDEX "pool_address_free" ON "pool_address" ("family", "purpose", "id") WHERE "claimed_at" IS NULL;

-- Deposits whose confirmations still grow, and expiries still to come, are few among many rows.
CREATE INDEX "invoice_pending_expiry" ON "invoice" ("coin", "expires_at") WHERE "status" = 'pending';
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" ("api_key_id", "next_attempt_at") WHERE "status" = 'pending';
CREATE INDEX "outgoing_mail_due" ON "outgoing_mail" ("next_attempt_at") WHERE "status" = 'pending';

ALTER TABLE "deposit" ADD CONSTRAINT "deposit_amount_positive" CHECK ("amount_units" > 0);
ALTER TABLE "deposit" ADD CONSTRAINT "deposit_block_whole"
  CHECK (("block_height" IS NULL) = ("block_hash" IS NULL) AND ("block_height" IS NULL) = ("block_time" IS NULL));
ALTER TABLE "coin_rate" ADD CONSTRAINT "coin_rate_positive" CHECK ("rate" > 0);
ALTER TABLE "user_account" ADD CONSTRAINT "user_email_lower_case" CHECK ("email" = lower("email"));
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_amount_in_range" CHECK ("amount_eur_cents" BETWEEN 1 AND 100000000);
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_coin_whole" CHECK (
  ("coin" IS NULL AND "amount_units" IS NULL AND "rate" IS NULL AND "wallet_id" IS NULL AND "chain_epoch" IS NULL)
  OR ("coin" IS NOT NULL AND "amount_units" > 0 AND "rate" > 0 AND "wallet_id" IS NOT NULL AND "chain_epoch" IS NOT NULL)
);
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_paid_sums" CHECK ("amount_confirmed_units" <= "amount_paid_units");

-- The status moves only along the table of the settlement decision (lib/invoices/state.ts), whoever writes.
CREATE FUNCTION "refuse_illegal_transition"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (
    (OLD."status" = 'pending' AND NEW."status" IN ('paid', 'expired', 'forcePaid'))
    OR (OLD."status" = 'expired' AND NEW."status" IN ('paid', 'forcePaid'))
    OR (OLD."status" = 'paid' AND NEW."status" = 'pending')
  ) THEN
    RAISE EXCEPTION 'illegal transition of invoice %: % to %', OLD."id", OLD."status", NEW."status"
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "invoice_transition" BEFORE UPDATE OF "status" ON "invoice"
  FOR EACH ROW WHEN (OLD."status" IS DISTINCT FROM NEW."status") EXECUTE FUNCTION "refuse_illegal_transition"();

-- What was priced once stays priced so.
CREATE FUNCTION "refuse_repricing"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'invoice % already has its coin, amount, rate and wallet', OLD."id" USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "invoice_repricing" BEFORE UPDATE OF "coin", "amount_units", "rate", "wallet_id", "amount_eur_cents" ON "invoice"
  FOR EACH ROW WHEN (
    OLD."amount_eur_cents" IS DISTINCT FROM NEW."amount_eur_cents"
    OR (OLD."coin" IS NOT NULL AND (
      OLD."coin" IS DISTINCT FROM NEW."coin" OR OLD."amount_units" IS DISTINCT FROM NEW."amount_units"
      OR OLD."rate" IS DISTINCT FROM NEW."rate" OR OLD."wallet_id" IS DISTINCT FROM NEW."wallet_id"))
  ) EXECUTE FUNCTION "refuse_repricing"();

-- Takes the oldest free address for a new wallet. Free means: nobody has it, and the coin's watcher already looks for it
-- (its loaded generation reached the address's own), so that no payment can arrive unseen. Empty when the pool is dry.
CREATE FUNCTION "claim_wallet"("for_user" integer, "for_coin" "coin", "of_type" "wallet_type", "of_family" "address_family")
RETURNS TABLE ("id" integer, "uuid" uuid, "address" text) LANGUAGE plpgsql AS $$
DECLARE
  "claimed" "pool_address"%ROWTYPE;
BEGIN
  UPDATE "pool_address" AS p SET "claimed_at" = now()
  WHERE p."id" = (
    SELECT f."id" FROM "pool_address" f
    WHERE f."family" = "of_family" AND f."purpose" = "of_type"::text::"address_purpose" AND f."claimed_at" IS NULL
      AND f."generation" <= (SELECT c."loaded_generation" FROM "chain_cursor" c WHERE c."coin" = "for_coin")
    ORDER BY f."id" LIMIT 1 FOR UPDATE SKIP LOCKED
  ) RETURNING * INTO "claimed";
  IF NOT FOUND THEN RETURN; END IF;
  RETURN QUERY INSERT INTO "wallet" AS w ("user_id", "coin", "type", "pool_address_id", "address")
    VALUES ("for_user", "for_coin", "of_type", "claimed"."id", "claimed"."address")
    RETURNING w."id", w."uuid", w."address";
END $$;

-- Each process may do its own work and nothing else (docs/architecture.md). The roles exist: `npm run migrate` makes them.
GRANT USAGE ON SCHEMA "public" TO "incassa_web", "incassa_watcher", "incassa_dispatcher", "incassa_signer";
GRANT USAGE ON ALL SEQUENCES IN SCHEMA "public" TO "incassa_web", "incassa_watcher", "incassa_dispatcher", "incassa_signer";

-- Settlement: whoever sees a reason settles (watcher, expiry, check-payment).
GRANT SELECT ON "chain_cursor", "deposit", "wallet", "invoice", "invoice_event", "coin_rate", "pool_generation", "webhook_delivery"
  TO "incassa_web", "incassa_watcher", "incassa_dispatcher";
GRANT UPDATE ("status", "payment_state", "amount_paid_units", "amount_confirmed_units", "paid_at", "reversed_at", "version")
  ON "invoice" TO "incassa_web", "incassa_watcher", "incassa_dispatcher";
GRANT INSERT ON "invoice_event", "webhook_delivery" TO "incassa_web", "incassa_watcher", "incassa_dispatcher";
GRANT SELECT, INSERT, DELETE ON "settlement_task" TO "incassa_web", "incassa_watcher", "incassa_dispatcher";
GRANT SELECT ("id", "uuid", "name", "email") ON "user_account" TO "incassa_watcher", "incassa_dispatcher";
GRANT SELECT ("id", "uuid", "user_id", "webhook_url", "is_active") ON "api_key" TO "incassa_watcher";
GRANT SELECT ("id", "dedupe_key"), INSERT ON "outgoing_mail" TO "incassa_web", "incassa_watcher";

GRANT SELECT, INSERT, UPDATE, DELETE ON "session", "rate_limit" TO "incassa_web";
GRANT SELECT, INSERT ("name", "email", "password_hash", "created_at") ON "user_account" TO "incassa_web";
GRANT UPDATE ("name", "email", "password_hash") ON "user_account" TO "incassa_web";
GRANT SELECT, INSERT, UPDATE ON "api_key" TO "incassa_web";
GRANT SELECT, INSERT ON "api_key_audit", "wallet" TO "incassa_web";
GRANT SELECT, UPDATE ("claimed_at") ON "pool_address" TO "incassa_web";
GRANT INSERT ON "invoice" TO "incassa_web";
GRANT UPDATE ("email", "coin", "amount_units", "rate", "wallet_id", "chain_epoch") ON "invoice" TO "incassa_web";
GRANT UPDATE ON "webhook_delivery" TO "incassa_web";
GRANT SELECT ON "webhook_attempt" TO "incassa_web";

GRANT SELECT, INSERT, UPDATE ON "chain_cursor", "deposit" TO "incassa_watcher";
GRANT SELECT, INSERT, UPDATE, DELETE ON "chain_block" TO "incassa_watcher";
GRANT SELECT ON "pool_address" TO "incassa_watcher";

GRANT SELECT ON "watch_key", "api_key" TO "incassa_dispatcher";
GRANT UPDATE ("webhook_url") ON "api_key" TO "incassa_dispatcher";
GRANT SELECT, INSERT ON "pool_address", "webhook_attempt" TO "incassa_dispatcher";
GRANT SELECT, INSERT, UPDATE ON "pool_generation", "coin_rate", "outgoing_mail" TO "incassa_dispatcher";
GRANT UPDATE ON "webhook_delivery" TO "incassa_dispatcher";
GRANT SELECT, DELETE ON "session", "rate_limit" TO "incassa_dispatcher";

GRANT SELECT, INSERT, UPDATE ON "instance_seed", "watch_key" TO "incassa_signer";
