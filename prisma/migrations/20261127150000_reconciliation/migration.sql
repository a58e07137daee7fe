-- CreateTable
CREATE TABLE "reconciliation" (
    "coin" "coin" NOT NULL,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "height" BIGINT NOT NULL DEFAULT -1,
    "hot_after_id" BIGINT NOT NULL DEFAULT 0,
    "cold_after_id" BIGINT NOT NULL DEFAULT 0,
    "suspect_ids" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "claimed_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "difference_count" INTEGER NOT NULL DEFAULT 0,
    "difference_units" DECIMAL(90,0) NOT NULL DEFAULT 0,
    "completeness" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "timeliness_seconds" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "reconciliation_pkey" PRIMARY KEY ("coin")
);



-- Written by hand from here on: what the schema language cannot say.

-- The dispatcher compares ledger and chain; the block hashes tell that the node is on the chain that was read.
GRANT SELECT, INSERT, UPDATE ON "reconciliation" TO "incassa_dispatcher";
GRANT SELECT ON "chain_block" TO "incassa_dispatcher";
