-- Written by hand: what the schema language cannot say.
-- Postgres looks for tables in pg_temp first unless the path names it: over temporary tables of its own, a login had the
-- owner's functions do what it liked. https://www.postgresql.org/docs/current/sql-createfunction.html#SQL-CREATEFUNCTION-SECURITY

ALTER FUNCTION "apply_postings"() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION "attach_deposit"(bigint, integer, text, text) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION "check_entry_balance"() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION "claim_wallet"(integer, "coin", "chain", "wallet_type", "address_family", boolean) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION "keep_status_history"() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION "lock_balances"(integer[]) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION "refuse_illegal_transition"() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION "refuse_ledger_change"() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION "refuse_repricing"() SET search_path = pg_catalog, public, pg_temp;

-- Nobody calls a trigger's function, or hangs it on a table of its own. Triggers that are there need no right to it.
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA "public" FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "claim_wallet" TO "incassa_web";
GRANT EXECUTE ON FUNCTION "lock_balances" TO "incassa_watcher";
