-- AlterTable: a price that every venue contradicts is in doubt, and sells nothing until another is agreed on.
ALTER TABLE "coin_rate" ADD COLUMN     "candidate_rate" DECIMAL(38,18),
ADD COLUMN     "candidate_rounds" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "candidate_since" TIMESTAMPTZ(3),
ADD COLUMN     "doubted_at" TIMESTAMPTZ(3);

-- Refuses a price that is not what the amount costs at a rate within 5 % of the one that was read last: the rate itself may be
-- a few seconds older than that. A rate in doubt, or of a time that has not come, is the price of nothing. What is due is
-- rounded up to the smallest amount that is shown.
CREATE OR REPLACE FUNCTION "check_price"("of_coin" "coin", "cents" integer, "units" numeric, "at_rate" numeric) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "rule" "coin_rule"%ROWTYPE;
  "known" numeric;
  "exact" numeric;
BEGIN
  SELECT * INTO STRICT "rule" FROM "coin_rule" r WHERE r."coin" = "of_coin";
  SELECT r."rate" INTO "known" FROM "coin_rate" r
    WHERE r."coin" = "of_coin" AND r."doubted_at" IS NULL AND r."fetched_at" <= clock_timestamp() + interval '5 seconds';
  "exact" := "cents" * 10::numeric ^ "rule"."decimals";
  IF "units" IS NULL OR "at_rate" IS NULL OR "known" IS NULL OR abs("at_rate" - "known") > "known" * 0.05
    OR "units" * "at_rate" * 100 < "exact" OR ("units" - "rule"."shown_units") * "at_rate" * 100 >= "exact"
  THEN
    RAISE EXCEPTION '% units of % at % are not the price of % cents', "units", "of_coin", "at_rate", "cents"
      USING ERRCODE = 'check_violation', CONSTRAINT = 'price_founded';
  END IF;
END $$;
