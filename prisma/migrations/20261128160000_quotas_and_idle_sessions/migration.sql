-- AlterTable: sessions that are open begin to be idle with the upgrade.
ALTER TABLE "session" ADD COLUMN     "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "invoice_quota" (
    "user_id" INTEGER NOT NULL,
    "slot" INTEGER NOT NULL,
    "minute" INTEGER NOT NULL,
    "priced_count" INTEGER NOT NULL,
    "open_at_most" INTEGER NOT NULL,

    CONSTRAINT "invoice_quota_pkey" PRIMARY KEY ("user_id","slot")
);

-- AddForeignKey
ALTER TABLE "invoice_quota" ADD CONSTRAINT "invoice_quota_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Written by hand from here on: what the schema language cannot say.

-- A merchant's open invoices are counted without reading the others. One whose payment a reorg took away is not counted:
-- nobody opened it again.
CREATE INDEX "invoice_open" ON "invoice" ("user_id") WHERE "status" = 'pending' AND "reversed_at" IS NULL;

-- Counts an invoice against its merchant's quotas before anything else of it is stored. "opens": it is a new invoice; "prices":
-- it takes an address. A refusal ("minute", "open") changes nothing.
-- A merchant's quota is dealt out to 32 slots, of which a request locks one that has room until its transaction ends: one row
-- would let a merchant's requests wait for each other's commit (614 a second became 160, measured). Who finds no slot locks
-- all of them in their order, so that the last places are taken one by one and exactly. "open_at_most" grows with every new
-- invoice and does not shrink when one is over, so that a settlement never waits here: when no slot has room it is counted anew.
CREATE FUNCTION "take_invoice_quota"("for_user" integer, "at" timestamptz, "opens" boolean, "prices" boolean, "most_open" integer, "most_a_minute" integer)
RETURNS TABLE ("granted_to" integer, "opening" integer, "pricing" integer, "refusal" text, "retry_after_seconds" integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "now_minute" integer := floor(extract(epoch FROM "at") / 60);
  "has_slot" boolean := true;
  "is_locked" boolean;
  "open_count" integer;
BEGIN
  -- Without one the block is undone: a slot that was taken while this request came to it stays locked otherwise, and two
  -- that hold such a slot would wait for each other below.
  BEGIN
    SELECT r."slot", r."slot" INTO STRICT "opening", "pricing" FROM "invoice_quota" r
      WHERE r."user_id" = "for_user"
        AND (NOT "opens" OR r."open_at_most" < "most_open" / 32 + (r."slot" < "most_open" % 32)::integer)
        -- A clock that is a little behind counts in the minute that another began; one that was set back begins its own.
        AND (NOT "prices" OR CASE WHEN "now_minute" BETWEEN r."minute" - 1 AND r."minute" THEN r."priced_count" ELSE 0 END
          < "most_a_minute" / 32 + (r."slot" < "most_a_minute" % 32)::integer)
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  EXCEPTION WHEN no_data_found THEN
    "has_slot" := false;
  END;
  IF NOT "has_slot" THEN
    INSERT INTO "invoice_quota" ("user_id", "slot", "minute", "priced_count", "open_at_most")
      SELECT "for_user", n, "now_minute", 0, "most_open" / 32 + 1 FROM generate_series(0, 31) n
      WHERE NOT EXISTS (SELECT 1 FROM "invoice_quota" r WHERE r."user_id" = "for_user") ON CONFLICT DO NOTHING;
    -- First without locks: a refusal writes nothing.
    FOREACH "is_locked" IN ARRAY ARRAY[false, true] LOOP
      IF "is_locked" THEN
        PERFORM 1 FROM "invoice_quota" r WHERE r."user_id" = "for_user" ORDER BY r."slot" FOR NO KEY UPDATE;
      END IF;
      SELECT min(r."slot") FILTER (WHERE r."open_at_most" < "most_open" / 32 + (r."slot" < "most_open" % 32)::integer),
        min(r."slot") FILTER (WHERE CASE WHEN "now_minute" BETWEEN r."minute" - 1 AND r."minute" THEN r."priced_count" ELSE 0 END
          < "most_a_minute" / 32 + (r."slot" < "most_a_minute" % 32)::integer)
        INTO "opening", "pricing" FROM "invoice_quota" r WHERE r."user_id" = "for_user";
      IF "prices" AND "pricing" IS NULL THEN
        RETURN QUERY SELECT NULL::integer, NULL::integer, NULL::integer, 'minute',
          ceil(60 - extract(epoch FROM "at") % 60)::integer;
        RETURN;
      END IF;
      IF "opens" AND "opening" IS NULL THEN
        SELECT count(*) INTO "open_count" FROM "invoice" i
          WHERE i."user_id" = "for_user" AND i."status" = 'pending' AND i."reversed_at" IS NULL;
        IF "open_count" >= "most_open" THEN
          RETURN QUERY SELECT NULL::integer, NULL::integer, NULL::integer, 'open', 60;
          RETURN;
        END IF;
        IF "is_locked" THEN
          UPDATE "invoice_quota" r SET "open_at_most" = "open_count" / 32 + (r."slot" < "open_count" % 32)::integer
            WHERE r."user_id" = "for_user";
          SELECT min(r."slot") INTO "opening" FROM "invoice_quota" r WHERE r."user_id" = "for_user"
            AND r."open_at_most" < "most_open" / 32 + (r."slot" < "most_open" % 32)::integer;
        END IF;
      END IF;
    END LOOP;
  END IF;
  "opening" := CASE WHEN "opens" THEN "opening" END;
  "pricing" := CASE WHEN "prices" THEN "pricing" END;
  UPDATE "invoice_quota" r SET
    "open_at_most" = r."open_at_most" + (r."slot" IS NOT DISTINCT FROM "opening")::integer,
    "priced_count" = CASE WHEN r."slot" IS DISTINCT FROM "pricing" THEN r."priced_count"
      WHEN "now_minute" BETWEEN r."minute" - 1 AND r."minute" THEN r."priced_count" + 1 ELSE 1 END,
    "minute" = CASE WHEN r."slot" IS DISTINCT FROM "pricing" OR "now_minute" BETWEEN r."minute" - 1 AND r."minute"
      THEN r."minute" ELSE "now_minute" END
    WHERE r."user_id" = "for_user" AND r."slot" IN ("opening", "pricing");
  "granted_to" := "for_user";
  RETURN NEXT;
END $$;

-- Takes a count back, in the transaction that took it: no address was free, so nothing was stored.
CREATE FUNCTION "return_invoice_quota"("for_user" integer, "opened" integer, "priced" integer)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE "invoice_quota" r SET
    "open_at_most" = r."open_at_most" - (r."slot" IS NOT DISTINCT FROM "opened")::integer,
    "priced_count" = r."priced_count" - (r."slot" IS NOT DISTINCT FROM "priced")::integer
    WHERE r."user_id" = "for_user" AND r."slot" IN ("opened", "priced");
  RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION "take_invoice_quota", "return_invoice_quota" FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "take_invoice_quota", "return_invoice_quota" TO "incassa_web";
GRANT SELECT, INSERT, UPDATE ON "invoice_quota" TO "incassa_functions";
GRANT CREATE ON SCHEMA "public" TO "incassa_functions";
ALTER FUNCTION "take_invoice_quota" OWNER TO "incassa_functions";
ALTER FUNCTION "return_invoice_quota" OWNER TO "incassa_functions";
REVOKE CREATE ON SCHEMA "public" FROM "incassa_functions";
