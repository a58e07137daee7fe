-- Written by hand: what the schema language cannot say.

-- What takes the place of a credit keeps its audit line and, where an operator gave the credit to a wallet, that wallet.
GRANT INSERT ON "deposit_credit" TO "incassa_watcher";
GRANT SELECT ON "deposit_credit" TO "incassa_watcher";
GRANT USAGE ON SEQUENCE "deposit_credit_id_seq" TO "incassa_watcher";
GRANT EXECUTE ON FUNCTION "attach_deposit" TO "incassa_watcher";
