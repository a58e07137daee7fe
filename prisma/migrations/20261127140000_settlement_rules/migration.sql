-- CreateEnum
CREATE TYPE "late_policy" AS ENUM ('review', 'accept');

-- AlterTable
ALTER TABLE "invoice" ADD COLUMN     "late_accepted_at" TIMESTAMPTZ(3),
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

-- AddForeignKey
ALTER TABLE "invoice_status_change" ADD CONSTRAINT "invoice_status_change_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



-- Written by hand from here on: what the schema language cannot say.

ALTER TABLE "user_account" ADD CONSTRAINT "user_tolerance_range" CHECK ("tolerance_basis_points" BETWEEN 0 AND 1000);
ALTER TABLE "watcher_outage" ADD CONSTRAINT "watcher_outage_lasts" CHECK ("ended_at" > "started_at");

-- The history of statuses is complete because no writer can leave it out.
CREATE FUNCTION "keep_status_history"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = "public" AS $$
BEGIN
  INSERT INTO "invoice_status_change" ("invoice_id", "status") VALUES (NEW."id", NEW."status");
  RETURN NULL;
END $$;
CREATE TRIGGER "invoice_status_kept" AFTER INSERT ON "invoice" FOR EACH ROW EXECUTE FUNCTION "keep_status_history"();
CREATE TRIGGER "invoice_status_change_kept" AFTER UPDATE OF "status" ON "invoice"
  FOR EACH ROW WHEN (OLD."status" IS DISTINCT FROM NEW."status") EXECUTE FUNCTION "keep_status_history"();

GRANT USAGE ON ALL SEQUENCES IN SCHEMA "public" TO "incassa_web", "incassa_watcher", "incassa_dispatcher", "incassa_signer";
GRANT SELECT ON "invoice_status_change", "watcher_outage", "deposit_attribution" TO "incassa_web", "incassa_watcher", "incassa_dispatcher";
GRANT INSERT ON "watcher_outage" TO "incassa_watcher";
GRANT SELECT ("tolerance_basis_points", "late_policy") ON "user_account" TO "incassa_watcher", "incassa_dispatcher";
GRANT UPDATE ("tolerance_basis_points", "late_policy") ON "user_account" TO "incassa_web";
GRANT UPDATE ("late_accepted_at", "resolved_at", "resolution_note") ON "invoice" TO "incassa_web";
GRANT UPDATE ("late_accepted_at", "resolved_at") ON "invoice" TO "incassa_watcher", "incassa_dispatcher";
