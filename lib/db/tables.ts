/** What a table's size follows, and for how long a row of it is kept. */
interface TableRule {
  /** The domain that writes it: no other does. */
  owner: string;
  /**
   * `for good`: with the business itself, because it is the record of money or of who may have it. `bounded`: it does not grow
   * with time. `consumed`: a row goes when its work is done. `trimmed`: the dispatcher's housekeeping removes what is over.
   */
  kept: 'for good' | 'bounded' | 'consumed' | 'trimmed';
  /** Until when, or what bounds it; for good: why. */
  until: string;
}

/** Every table of the product, in one place: who writes it, and what becomes of its rows. */
export const TABLES = {
  user_account: { owner: 'auth', kept: 'for good', until: 'merchants are few; their invoices refer to them' },
  session: { owner: 'auth', kept: 'trimmed', until: 'it has run out, or nobody used it for SESSION_IDLE_MINUTES' },
  known_address: { owner: 'auth', kept: 'bounded', until: '20 per account' },
  rate_limit: { owner: 'security', kept: 'trimmed', until: 'its window is over' },
  api_key: {
    owner: 'api-keys',
    kept: 'for good',
    until: 'invoices and deliveries refer to them; active ones have a quota',
  },
  api_key_audit: { owner: 'api-keys', kept: 'trimmed', until: 'KEPT_DAYS.keyAudits' },
  wallet: { owner: 'wallets', kept: 'for good', until: 'its address holds money, and may be paid again at any time' },
  pool_address: { owner: 'wallets', kept: 'for good', until: 'what was given away is watched for ever' },
  pool_generation: { owner: 'wallets', kept: 'bounded', until: 'one row per address family' },
  pool_home: { owner: 'wallets', kept: 'bounded', until: 'one row' },
  pool_restore: { owner: 'wallets', kept: 'for good', until: 'the record of each restore of a backup' },
  pool_burn: { owner: 'wallets', kept: 'for good', until: 'one row per restore and key' },
  watch_key: { owner: 'keys', kept: 'bounded', until: 'two per family, or per merchant of a family' },
  instance_seed: { owner: 'keys', kept: 'bounded', until: 'one per network' },
  coin_rate: { owner: 'rates', kept: 'bounded', until: 'one row per coin' },
  // `npm run migrate` writes it, from the product's own tables.
  coin_rule: { owner: 'prisma', kept: 'bounded', until: 'one row per coin' },
  ledger_account: { owner: 'ledger', kept: 'for good', until: 'the books' },
  ledger_entry: { owner: 'ledger', kept: 'for good', until: 'the books' },
  ledger_posting: { owner: 'ledger', kept: 'for good', until: 'the books' },
  outgoing_mail: {
    owner: 'mail',
    kept: 'trimmed',
    until: 'its contents: KEPT_DAYS.mailContents; the key stays, so that none is sent twice',
  },
  webhook_delivery: { owner: 'webhooks', kept: 'trimmed', until: 'KEPT_DAYS.webhookDeliveries after it is over' },
  webhook_attempt: { owner: 'webhooks', kept: 'trimmed', until: 'with its delivery' },
  deposit: {
    owner: 'deposits',
    kept: 'for good',
    until: 'money that arrived; each costs its sender a fee on the chain',
  },
  deposit_attribution: { owner: 'deposits', kept: 'for good', until: 'the record of an operator’s act on money' },
  settlement_task: { owner: 'deposits', kept: 'consumed', until: 'its invoice is decided' },
  deposit_credit: { owner: 'deposits', kept: 'for good', until: 'the record of an operator’s act on money' },
  rescan: { owner: 'chain-sync', kept: 'for good', until: 'the record of an operator’s act' },
  chain_cursor: { owner: 'chain-sync', kept: 'bounded', until: 'one row per chain' },
  chain_block: { owner: 'chain-sync', kept: 'bounded', until: 'as many as the chain’s reorgs can need' },
  watcher_outage: {
    owner: 'chain-sync',
    kept: 'trimmed',
    until: 'KEPT_DAYS.outages; one that moved the end of an invoice stays with it, whose decision it explains',
  },
  invoice: { owner: 'invoices', kept: 'for good', until: 'the record of a sale' },
  invoice_event: { owner: 'invoices', kept: 'for good', until: 'with its invoice' },
  invoice_quota: { owner: 'invoices', kept: 'bounded', until: '32 per merchant' },
  invoice_status_change: { owner: 'invoices', kept: 'for good', until: 'with its invoice' },
  settlement_failure: { owner: 'invoices', kept: 'consumed', until: 'its invoice can be settled again' },
  address_surplus: { owner: 'reconciliation', kept: 'consumed', until: 'the surplus is explained' },
  reconciliation: { owner: 'reconciliation', kept: 'bounded', until: 'one row per coin' },
} as const satisfies Record<string, TableRule>;

type TableName = keyof typeof TABLES;

/** Tables of which housekeeping removes, or erases, what is over. */
export type TrimmedTable = {
  [Name in TableName]: (typeof TABLES)[Name]['kept'] extends 'trimmed' ? Name : never;
}[TableName];
