CREATE TABLE "known_address" (
    "address_hash" VARCHAR(64) NOT NULL,
    "user_id" INTEGER NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_address_pkey" PRIMARY KEY ("address_hash")
);

CREATE INDEX "known_address_user_id_idx" ON "known_address"("user_id");

ALTER TABLE "known_address" ADD CONSTRAINT "known_address_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

GRANT SELECT, INSERT, UPDATE ("seen_at"), DELETE ON "known_address" TO "incassa_web";
