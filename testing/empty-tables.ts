import type { Sql } from '@/lib/db/database';

/** Empties everything that tests of the watcher write, so that one database serves all tests of a file. */
export async function emptyTables(sql: Sql): Promise<void> {
  await sql.query(`TRUNCATE chain_cursor, chain_block, ledger_entry, deposit, settlement_task, invoice_event, webhook_delivery, invoice, wallet,
    pool_address, rescan, deposit_credit, address_surplus, pool_generation, watch_key, api_key, user_account CASCADE`);
}
