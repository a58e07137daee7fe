-- AlterTable: sessions that are open begin to be idle with the upgrade.
ALTER TABLE "session" ADD COLUMN     "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "invoice_quota" (
    "user_id" INTEGER NOT NULL,
    "window_started_at" TIMESTAMPTZ(3) NOT NULL,
    "priced_count" INTEGER NOT NULL,
    "open_at_most" INTEGER NOT NULL,

    CONSTRAINT "invoice_quota_pkey" PRIMARY KEY ("user_id")
);

-- AddForeignKey
ALTER TABLE "invoice_quota" ADD CONSTRAINT "invoice_quota_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Written by hand from here on: what the schema language cannot say.

-- A merchant's open invoices are counted without reading the others. One whose payment a reorg took away is not counted:
-- nobody opened it again.
CREATE INDEX "invoice_open" ON "invoice" ("user_id") WHERE "status" = 'pending' AND "reversed_at" IS NULL;

-- Counts an invoice against its merchant's quotas before anything else of it is stored. The merchant's row stays locked until
-- the transaction ends, so that two requests at once cannot both take the last place. "opens": it is a new invoice;
-- "prices": it takes an address. "open_at_most" grows with every new invoice and does not shrink when one is over, so that a
-- settlement never waits for this row: it is counted anew when it reaches the quota. A refusal (minute, open) changes nothing.
CREATE FUNCTION "take_invoice_quota"("for_user" integer, "at" timestamptz, "opens" boolean, "prices" boolean, "most_open" integer, "most_a_minute" integer)
RETURNS TABLE ("granted_to" integer, "refusal" text, "retry_after_seconds" integer)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "known" "invoice_quota"%ROWTYPE;
BEGIN
  SELECT * INTO "known" FROM "invoice_quota" r WHERE r."user_id" = "for_user" FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    INSERT INTO "invoice_quota" ("user_id", "window_started_at", "priced_count", "open_at_most")
      VALUES ("for_user", "at", 0, "most_open") ON CONFLICT DO NOTHING;
    SELECT * INTO STRICT "known" FROM "invoice_quota" r WHERE r."user_id" = "for_user" FOR NO KEY UPDATE;
  END IF;
  -- To either side, so that a clock that was set back does not stretch a minute.
  IF "at" >= "known"."window_started_at" + interval '1 minute' OR "at" < "known"."window_started_at" - interval '1 minute' THEN
    "known"."window_started_at" := "at";
    "known"."priced_count" := 0;
  END IF;
  IF "prices" AND "known"."priced_count" >= "most_a_minute" THEN
    RETURN QUERY SELECT NULL::integer, 'minute',
      ceil(extract(epoch FROM "known"."window_started_at" + interval '1 minute' - "at"))::integer;
    RETURN;
  END IF;
  IF "opens" AND "known"."open_at_most" >= "most_open" THEN
    SELECT count(*) INTO "known"."open_at_most" FROM "invoice" i
      WHERE i."user_id" = "for_user" AND i."status" = 'pending' AND i."reversed_at" IS NULL;
    IF "known"."open_at_most" >= "most_open" THEN
      RETURN QUERY SELECT NULL::integer, 'open', 60;
      RETURN;
    END IF;
  END IF;
  UPDATE "invoice_quota" r SET "window_started_at" = "known"."window_started_at",
    "priced_count" = "known"."priced_count" + "prices"::integer, "open_at_most" = "known"."open_at_most" + "opens"::integer
    WHERE r."user_id" = "for_user";
  RETURN QUERY SELECT "for_user", NULL::text, NULL::integer;
END $$;

-- Takes a count back, in the transaction that took it: no address was free, so nothing was stored.
CREATE FUNCTION "return_invoice_quota"("for_user" integer, "opens" boolean, "prices" boolean)
RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE "invoice_quota" r SET "priced_count" = r."priced_count" - "prices"::integer,
    "open_at_most" = r."open_at_most" - "opens"::integer WHERE r."user_id" = "for_user";
  RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION "take_invoice_quota", "return_invoice_quota" FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "take_invoice_quota", "return_invoice_quota" TO "incassa_web";
GRANT SELECT, INSERT, UPDATE ON "invoice_quota" TO "incassa_web";
