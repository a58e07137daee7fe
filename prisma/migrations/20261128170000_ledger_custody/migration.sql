-- Whose money it is and where it lies become two sides of the ledger, an entry names its fact by columns, and an address may
-- carry a wallet per coin.

-- CreateEnum
CREATE TYPE "entry_kind" AS ENUM ('deposit', 'reversal', 'attribution', 'chain_reset', 'hold', 'release', 'send', 'refund', 'sweep', 'swap_send', 'swap_out', 'network_fee', 'storage_fee');

-- CreateEnum
CREATE TYPE "entry_fact" AS ENUM ('deposit', 'withdrawal', 'refund', 'sweep', 'swap', 'address', 'account');

-- DropIndex
DROP INDEX "wallet_pool_address_id_key";

-- CreateIndex
CREATE UNIQUE INDEX "wallet_pool_address_id_coin_key" ON "wallet"("pool_address_id", "coin");



-- Written by hand from here on: what the schema language cannot say.

ALTER TABLE "ledger_entry" DISABLE TRIGGER USER;
ALTER TABLE "ledger_posting" DISABLE TRIGGER USER;

-- Entries: the parts of a key become columns. The block is the deposit's own; what an operator decided has none.
ALTER TABLE "ledger_entry"
  ADD COLUMN "fact" "entry_fact",
  ADD COLUMN "fact_id" BIGINT,
  ADD COLUMN "booking" INTEGER,
  ADD COLUMN "epoch" INTEGER,
  ADD COLUMN "height" BIGINT,
  ADD COLUMN "chain_time" TIMESTAMPTZ(3),
  ADD COLUMN "linked_entry_id" BIGINT;
UPDATE "ledger_entry" e SET "fact" = 'deposit', "fact_id" = d."id", "booking" = split_part(e."key", ':', 3)::integer, "epoch" = d."epoch",
    "height" = CASE WHEN e."kind" <> 'attribution' THEN d."block_height" END,
    "chain_time" = CASE WHEN e."kind" <> 'attribution' THEN d."block_time" END
  FROM "deposit" d WHERE e."kind" IN ('deposit', 'reversal', 'attribution') AND d."id" = split_part(e."key", ':', 2)::bigint;
UPDATE "ledger_entry" SET "fact" = 'account', "fact_id" = split_part("key", ':', 3)::bigint,
    "booking" = split_part("key", ':', 2)::integer, "epoch" = split_part("key", ':', 2)::integer - 1
  WHERE "kind" = 'chain_reset';
DROP INDEX "ledger_entry_key_key";
ALTER TABLE "ledger_entry"
  DROP COLUMN "key",
  ALTER COLUMN "kind" TYPE "entry_kind" USING "kind"::"entry_kind",
  ALTER COLUMN "fact" SET NOT NULL,
  ALTER COLUMN "fact_id" SET NOT NULL,
  ALTER COLUMN "booking" SET NOT NULL,
  ALTER COLUMN "epoch" SET NOT NULL;

-- Accounts. What was the chain's side stands, for the length of this migration, at one place: `in_swap` is on the same side.
DROP INDEX "ledger_account_of_wallet", "ledger_account_of_coin";
ALTER TABLE "ledger_account"
  DROP CONSTRAINT "ledger_account_owner",
  DROP CONSTRAINT "ledger_balance_where_kept",
  DROP CONSTRAINT "ledger_balance_not_negative",
  ADD COLUMN "pool_address_id" BIGINT;
ALTER TYPE "account_kind" RENAME TO "old_account_kind";
CREATE TYPE "account_kind" AS ENUM ('custody', 'in_swap', 'wallet', 'held', 'reorg_loss', 'unattributed', 'fees');
ALTER TABLE "ledger_account" ALTER COLUMN "kind" TYPE "account_kind"
  USING (CASE "kind"::text WHEN 'chain' THEN 'in_swap' ELSE "kind"::text END)::"account_kind";
DROP TYPE "old_account_kind";

-- A deposit's money lies on the address that it came to.
INSERT INTO "ledger_account" ("coin", "kind", "pool_address_id")
  SELECT DISTINCT e."coin", 'custody'::"account_kind", d."pool_address_id"
  FROM "ledger_entry" e JOIN "deposit" d ON d."id" = e."fact_id" WHERE e."fact" = 'deposit' ORDER BY 1, 3;
UPDATE "ledger_posting" p SET "account_id" = c."id", "amount_units" = -p."amount_units"
  FROM "ledger_account" a, "ledger_entry" e, "deposit" d, "ledger_account" c
  WHERE a."id" = p."account_id" AND a."kind" = 'in_swap' AND e."id" = p."entry_id" AND e."fact" = 'deposit' AND d."id" = e."fact_id"
    AND c."kind" = 'custody' AND c."coin" = e."coin" AND c."pool_address_id" = d."pool_address_id";
-- Local chains that were replaced: what a wallet had became nobody's, and what lay on an address was nobody's and went.
INSERT INTO "ledger_account" ("coin", "kind")
  SELECT DISTINCT e."coin", 'unattributed'::"account_kind" FROM "ledger_entry" e WHERE e."kind" = 'chain_reset'
    AND NOT EXISTS (SELECT 1 FROM "ledger_account" a WHERE a."coin" = e."coin" AND a."kind" = 'unattributed');
DELETE FROM "ledger_posting" p USING "ledger_entry" e, "ledger_account" a
  WHERE e."id" = p."entry_id" AND e."kind" = 'chain_reset' AND a."id" = e."fact_id" AND a."kind" = 'unattributed';
DELETE FROM "ledger_entry" e USING "ledger_account" a
  WHERE e."kind" = 'chain_reset' AND a."id" = e."fact_id" AND a."kind" = 'unattributed';
UPDATE "ledger_posting" p SET "account_id" = u."id"
  FROM "ledger_account" a, "ledger_entry" e, "ledger_account" u
  WHERE a."id" = p."account_id" AND a."kind" = 'in_swap' AND e."id" = p."entry_id" AND e."kind" = 'chain_reset'
    AND u."kind" = 'unattributed' AND u."coin" = e."coin";
INSERT INTO "ledger_entry" ("kind", "coin", "fact", "fact_id", "booking", "epoch")
  SELECT 'chain_reset', e."coin", 'account', p."account_id", e."epoch" + 1, e."epoch"
  FROM "ledger_posting" p JOIN "ledger_entry" e ON e."id" = p."entry_id" JOIN "deposit" d ON d."id" = e."fact_id"
    JOIN "ledger_account" a ON a."id" = p."account_id" JOIN "chain_cursor" c ON c."chain" = d."chain"
  WHERE e."fact" = 'deposit' AND a."kind" = 'custody' AND e."epoch" < c."epoch"
  GROUP BY e."coin", p."account_id", e."epoch" HAVING sum(p."amount_units") <> 0 ORDER BY p."account_id", e."epoch";
INSERT INTO "ledger_posting" ("entry_id", "account_id", "amount_units")
  SELECT r."id", side."account_id", -y."units"
  FROM "ledger_entry" r JOIN "ledger_account" a ON a."id" = r."fact_id" AND a."kind" = 'custody'
    JOIN "ledger_account" u ON u."coin" = r."coin" AND u."kind" = 'unattributed'
    CROSS JOIN LATERAL (SELECT sum(p."amount_units") AS "units" FROM "ledger_posting" p JOIN "ledger_entry" e ON e."id" = p."entry_id"
      WHERE p."account_id" = a."id" AND e."epoch" = r."epoch" AND e."fact" = 'deposit') y
    CROSS JOIN LATERAL (VALUES (a."id"), (u."id")) side ("account_id")
  WHERE r."kind" = 'chain_reset';
DELETE FROM "ledger_account" WHERE "kind" = 'in_swap';
UPDATE "ledger_account" a SET "balance" = (SELECT coalesce(sum(p."amount_units"), 0) FROM "ledger_posting" p WHERE p."account_id" = a."id")
  WHERE a."kind" = 'reorg_loss';

ALTER TABLE "ledger_entry" ENABLE TRIGGER USER;
ALTER TABLE "ledger_posting" ENABLE TRIGGER USER;

-- A fact is booked once.
CREATE UNIQUE INDEX "ledger_entry_fact_fact_id_kind_booking_coin_key" ON "ledger_entry"("fact", "fact_id", "kind", "booking", "coin");
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_linked_entry_id_fkey" FOREIGN KEY ("linked_entry_id") REFERENCES "ledger_entry"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_pool_address_id_fkey" FOREIGN KEY ("pool_address_id") REFERENCES "pool_address"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_block_whole" CHECK (("height" IS NULL) = ("chain_time" IS NULL));
-- What leaves our addresses does so in a block.
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_has_block"
  CHECK ("kind" NOT IN ('send', 'refund', 'sweep', 'swap_send', 'network_fee', 'storage_fee') OR "height" IS NOT NULL);
-- What a swap took is booked beside what it gave.
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_linked" CHECK (("kind" = 'swap_out') = ("linked_entry_id" IS NOT NULL));

-- One account of a kind per wallet, one per coin and address, and one per coin for those that belong to neither.
CREATE UNIQUE INDEX "ledger_account_of_wallet" ON "ledger_account" ("wallet_id", "kind") WHERE "wallet_id" IS NOT NULL;
CREATE UNIQUE INDEX "ledger_account_of_address" ON "ledger_account" ("pool_address_id", "coin") WHERE "pool_address_id" IS NOT NULL;
CREATE UNIQUE INDEX "ledger_account_of_coin" ON "ledger_account" ("coin", "kind") WHERE "wallet_id" IS NULL AND "pool_address_id" IS NULL;
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_owner"
  CHECK (("kind" IN ('wallet', 'held', 'reorg_loss')) = ("wallet_id" IS NOT NULL) AND ("kind" = 'custody') = ("pool_address_id" IS NOT NULL));
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_balance_not_negative" CHECK ("kind" = 'reorg_loss' OR "balance" >= 0);
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_loss_not_positive" CHECK ("kind" <> 'reorg_loss' OR "balance" <= 0);
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_balance_where_kept"
  CHECK ("kind" IN ('wallet', 'held', 'reorg_loss') OR "balance" = 0);

-- By the end of the transaction an entry moves as much on the side of the places as on the side of the owners, in its own coin.
CREATE OR REPLACE FUNCTION "check_entry_balance"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM "ledger_entry" e JOIN "ledger_posting" p ON p."entry_id" = e."id" JOIN "ledger_account" a ON a."id" = p."account_id"
    WHERE e."id" = NEW."entry_id"
    HAVING sum(CASE WHEN a."kind" IN ('custody', 'in_swap') THEN -p."amount_units" ELSE p."amount_units" END) <> 0
      OR bool_or(a."coin" <> e."coin")
  ) THEN
    RAISE EXCEPTION 'ledger entry % does not balance', NEW."entry_id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

-- Balances follow the postings and nothing else: no role may write them. post_entries() has locked the accounts.
CREATE OR REPLACE FUNCTION "apply_postings"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE "ledger_account" a SET "balance" = a."balance" + s."moved"
    FROM (SELECT n."account_id", sum(n."amount_units") AS "moved" FROM "new_postings" n GROUP BY n."account_id") s
    WHERE a."id" = s."account_id" AND a."kind" IN ('wallet', 'held', 'reorg_loss');
  RETURN NULL;
END $$;

-- Books facts, a set at a time: the one door into the ledger. Entries come side by side, their parts too; a part names its entry
-- by its place among them. A fact that was booked before is skipped. Returns the places and ids of what is new.
-- What comes to a wallet first repays its loss. What a reversal takes from it and it does not have any more becomes its loss;
-- whatever else takes more than there is, is refused. So a wallet has money to spend or a loss, never both.
-- Planned once per session, because planning costs three times what the few rows of a usual call do, and with look-ups by key
-- alone, because a plan that was made while the tables were small would read them whole for every part of a large set.
CREATE FUNCTION "post_entries"(
  "kinds" "entry_kind"[], "coins" "coin"[], "facts" "entry_fact"[], "fact_ids" bigint[], "bookings" integer[], "epochs" integer[],
  "heights" bigint[], "chain_times" timestamptz[], "links" bigint[],
  "part_entries" integer[], "part_kinds" "account_kind"[], "part_wallets" integer[], "part_addresses" bigint[], "part_units" numeric[]
) RETURNS TABLE ("place" integer, "entry_id" bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off AS $$
DECLARE
  "ids" bigint[] := ARRAY(SELECT nextval('"ledger_entry_id_seq"') FROM generate_series(1, cardinality("kinds")));
BEGIN
  PERFORM "refuse_old_snapshot"();
  -- In the order of the facts, so that two that book the same ones wait for each other one way only.
  INSERT INTO "ledger_entry" ("id", "kind", "coin", "fact", "fact_id", "booking", "epoch", "height", "chain_time", "linked_entry_id")
    SELECT n.* FROM unnest("ids", "kinds", "coins", "facts", "fact_ids", "bookings", "epochs", "heights", "chain_times", "links")
      AS n ("id", "kind", "coin", "fact", "fact_id", "booking", "epoch", "height", "chain_time", "link")
    ORDER BY n."fact", n."fact_id", n."kind", n."booking", n."coin"
    ON CONFLICT ("fact", "fact_id", "kind", "booking", "coin") DO NOTHING;

  -- A wallet's accounts are of the wallet's coin.
  INSERT INTO "ledger_account" ("coin", "kind", "wallet_id", "pool_address_id")
    SELECT DISTINCT e."coin", k."kind", p."wallet_id", p."pool_address_id"
    FROM unnest("part_entries", "part_kinds", "part_wallets", "part_addresses") AS p ("entry", "kind", "wallet_id", "pool_address_id")
      JOIN "ledger_entry" e ON e."id" = "ids"[p."entry"]
      CROSS JOIN LATERAL (SELECT p."kind" UNION ALL
        SELECT 'reorg_loss'::"account_kind" WHERE p."kind" = 'wallet' AND e."kind" = 'reversal') k ("kind")
    WHERE (p."wallet_id" IS NULL OR EXISTS (SELECT 1 FROM "wallet" w WHERE w."id" = p."wallet_id" AND w."coin" = e."coin"))
      AND CASE
      WHEN p."wallet_id" IS NOT NULL THEN
        (SELECT a."id" FROM "ledger_account" a WHERE a."wallet_id" = p."wallet_id" AND a."kind" = k."kind")
      WHEN p."pool_address_id" IS NOT NULL THEN
        (SELECT a."id" FROM "ledger_account" a WHERE a."pool_address_id" = p."pool_address_id" AND a."coin" = e."coin")
      ELSE (SELECT a."id" FROM "ledger_account" a WHERE a."coin" = e."coin" AND a."kind" = k."kind"
        AND a."wallet_id" IS NULL AND a."pool_address_id" IS NULL)
      END IS NULL
    ORDER BY 1, 2, 3, 4
    ON CONFLICT DO NOTHING;

  -- Locked first, in the order of their ids; what they hold is read by the next statement.
  PERFORM 1 FROM "ledger_account" a WHERE a."wallet_id" IN (SELECT unnest("part_wallets"))
    ORDER BY a."id" FOR NO KEY UPDATE;

  INSERT INTO "ledger_posting" ("entry_id", "account_id", "amount_units")
    WITH "part" AS (
      SELECT e."id" AS "entry_id", e."coin", e."kind" AS "entry_kind", p.*
      FROM unnest("part_entries", "part_kinds", "part_wallets", "part_addresses", "part_units") WITH ORDINALITY
          AS p ("entry", "kind", "wallet_id", "pool_address_id", "units", "part_place")
        JOIN "ledger_entry" e ON e."id" = "ids"[p."entry"]
    ), "moved" AS (
      -- What its owner has, less the loss, after each part: the parts before it count.
      SELECT p."entry_id", p."coin", p."wallet_id", p."units",
        (p."units" > 0 OR p."entry_kind" = 'reversal') AND o."units" IS NOT NULL AS "is_shared",
        o."units" + sum(p."units") OVER (PARTITION BY p."wallet_id" ORDER BY p."part_place" ROWS UNBOUNDED PRECEDING) AS "after"
      FROM "part" p CROSS JOIN LATERAL (SELECT sum(a."balance") AS "units" FROM "ledger_account" a
        WHERE a."wallet_id" = p."wallet_id" AND a."kind" IN ('wallet', 'reorg_loss')) o
      WHERE p."kind" = 'wallet'
    ), "due" ("entry_id", "coin", "kind", "wallet_id", "pool_address_id", "units") AS (
      SELECT p."entry_id", p."coin", p."kind", p."wallet_id", p."pool_address_id", p."units" FROM "part" p
        WHERE p."kind" <> 'wallet'
      UNION ALL SELECT m."entry_id", m."coin", 'wallet', m."wallet_id", NULL, m."units" FROM "moved" m WHERE NOT m."is_shared"
      UNION ALL SELECT m."entry_id", m."coin", s."kind"::"account_kind", m."wallet_id", NULL, s."units" FROM "moved" m
        CROSS JOIN LATERAL (VALUES ('wallet', greatest(m."after", 0) - greatest(m."after" - m."units", 0)),
          ('reorg_loss', least(m."after", 0) - least(m."after" - m."units", 0))) s ("kind", "units")
        WHERE m."is_shared" AND s."units" <> 0
    )
    SELECT d."entry_id", CASE
      WHEN d."wallet_id" IS NOT NULL THEN
        (SELECT a."id" FROM "ledger_account" a WHERE a."wallet_id" = d."wallet_id" AND a."kind" = d."kind")
      WHEN d."pool_address_id" IS NOT NULL THEN
        (SELECT a."id" FROM "ledger_account" a WHERE a."pool_address_id" = d."pool_address_id" AND a."coin" = d."coin")
      ELSE (SELECT a."id" FROM "ledger_account" a WHERE a."coin" = d."coin" AND a."kind" = d."kind"
        AND a."wallet_id" IS NULL AND a."pool_address_id" IS NULL)
      END, sum(d."units")
    FROM "due" d
    GROUP BY 1, 2;

  RETURN QUERY SELECT i."n"::integer, e."id" FROM unnest("ids") WITH ORDINALITY AS i ("id", "n")
    JOIN "ledger_entry" e ON e."id" = i."id" ORDER BY i."n";
END $$;
DROP FUNCTION "lock_balances"(integer[]);

-- Gives money of nobody to a wallet of its coin: whose it is moves, where it lies does not. Money of a local chain that was
-- replaced is gone, and nobody's for good.
CREATE OR REPLACE FUNCTION "attach_deposit"("of_deposit" bigint, "to_wallet" integer, "by_operator" text, "with_note" text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  "d" "deposit"%ROWTYPE;
BEGIN
  SELECT * INTO "d" FROM "deposit" WHERE "id" = "of_deposit" AND "wallet_id" IS NULL FOR UPDATE;
  IF NOT FOUND OR NOT EXISTS (SELECT 1 FROM "chain_cursor" c WHERE c."chain" = "d"."chain" AND c."epoch" = "d"."epoch") THEN
    RAISE EXCEPTION 'deposit % is not unattributed', "of_deposit" USING ERRCODE = 'no_data_found';
  END IF;
  PERFORM 1 FROM "wallet" w WHERE w."id" = "to_wallet" AND w."coin" = "d"."coin";
  IF NOT FOUND THEN RAISE EXCEPTION 'wallet % is not one of %', "to_wallet", "d"."coin" USING ERRCODE = 'no_data_found'; END IF;
  UPDATE "deposit" SET "wallet_id" = "to_wallet" WHERE "id" = "of_deposit";
  INSERT INTO "deposit_attribution" ("deposit_id", "wallet_id", "operator", "note")
    VALUES ("of_deposit", "to_wallet", "by_operator", "with_note");
  INSERT INTO "settlement_task" ("wallet_id", "chain") VALUES ("to_wallet", "d"."chain");
  IF "d"."posted_at" IS NULL THEN RETURN; END IF;
  PERFORM "post_entries"(ARRAY['attribution'::"entry_kind"], ARRAY["d"."coin"], ARRAY['deposit'::"entry_fact"], ARRAY["d"."id"],
    ARRAY["d"."bookings"], ARRAY["d"."epoch"], ARRAY[NULL::bigint], ARRAY[NULL::timestamptz], ARRAY[NULL::bigint],
    ARRAY[1, 1], ARRAY['unattributed', 'wallet']::"account_kind"[], ARRAY[NULL, "to_wallet"], ARRAY[NULL, NULL]::bigint[],
    ARRAY[-"d"."amount_units", "d"."amount_units"]);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'deposit % was attributed before', "of_deposit" USING ERRCODE = 'unique_violation';
  END IF;
END $$;

-- Nobody writes the ledger's tables any more but through the function.
REVOKE INSERT ON "ledger_entry", "ledger_posting" FROM "incassa_watcher";
REVOKE INSERT ("coin", "kind", "wallet_id") ON "ledger_account" FROM "incassa_watcher";
REVOKE USAGE ON SEQUENCE "ledger_account_id_seq", "ledger_entry_id_seq" FROM "incassa_watcher";
GRANT INSERT ("pool_address_id") ON "ledger_account" TO "incassa_functions";
REVOKE EXECUTE ON FUNCTION "post_entries" FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "post_entries" TO "incassa_watcher";
GRANT CREATE ON SCHEMA "public" TO "incassa_functions";
ALTER FUNCTION "post_entries" OWNER TO "incassa_functions";
REVOKE CREATE ON SCHEMA "public" FROM "incassa_functions";
