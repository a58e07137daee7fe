/** What is mutated, and who can see it. */
export const MODULES = ['settlement', 'deposits', 'chain-sync', 'ledger', 'pool', 'sale'] as const;
export type ModuleName = (typeof MODULES)[number];

export interface MutatedModule {
  name: ModuleName;
  /** Domains whose repositories declare its statements. */
  domains: readonly string[];
  /** Names of its statements. */
  statements: RegExp;
  /** Its functions in the database, those of its triggers too. */
  functions: readonly string[];
  tables: readonly string[];
  /** Its TypeScript that decides without a database: StrykerJS mutates it. */
  sources: readonly string[];
  /** Test files that can see a mutant by its name, the first that fits: beginnings of their paths, the most telling first. */
  seenBy: readonly (readonly [mutant: RegExp, tests: readonly string[]])[];
}

const RIGHTS = ['testing/rights.integration'];
const IS_GRANT = / may write /;
const SETTLES = ['lib/invoices/settle-invoice', 'lib/invoices/resolve-invoice'];
const GUARDS = ['lib/invoices/settlement-guards', 'lib/invoices/in-time', 'lib/invoices/late-policy'];
const QUEUES = ['lib/invoices/due-repository', 'lib/invoices/settle-isolated'];
const RECORDS = [
  ...['lib/chain-sync/record-blocks', 'lib/chain-sync/counting', 'lib/chain-sync/record-mempool'],
  ...['lib/chain-sync/epochs', 'lib/deposits/bookings'],
];
const BRINGS_IN = ['lib/deposits/credit-repository', 'workers/watcher/missed-money', 'workers/commands/bring-in'];

export const MUTATED: Readonly<Record<ModuleName, MutatedModule>> = {
  settlement: {
    name: 'settlement',
    domains: ['invoices'],
    statements:
      /^invoices\.(lock|settle|note-|expirable|queued|retriable|forget-failures|count-failing|untold-surpluses)/,
    functions: [
      ...['settle_invoices', 'check_settlement', 'invoice_facts', 'add_event', 'note_event', 'note_surplus'],
      ...['enqueue_mail', 'enqueue_deliveries', 'note_late_policy', 'keep_status_history', 'refuse_old_snapshot'],
      ...['refuse_illegal_transition', 'refuse_repricing', 'refuse_version', 'refuse_late_again', 'bound_failure'],
    ],
    tables: ['invoice', 'invoice_event', 'invoice_status_change', 'settlement_failure', 'address_surplus'],
    sources: ['lib/invoices/state.ts', 'lib/invoices/misfit.ts', 'lib/invoices/counted-money.ts'],
    seenBy: [
      [IS_GRANT, RIGHTS],
      [/note_event|note-event|cardinality/, ['lib/invoices/note-event', ...SETTLES]],
      [/expirable/, ['lib/invoices/expiry-repository', 'lib/invoices/settle-isolated']],
      [/queued|retriable|failure|count-failing|lock-free/, QUEUES],
      [/untold|surplus/, ['lib/invoices/surplus-repository', ...BRINGS_IN]],
      [/settlement-facts|invoice_facts/, ['lib/invoices/settlement-facts-repository', ...SETTLES, ...GUARDS]],
      [/in_range|coin_whole/, ['lib/invoices/price-constraints', ...GUARDS]],
      [/deliveries/, ['lib/webhooks/who-is-notified', 'lib/webhooks/deliveries', ...SETTLES]],
      [/late_policy|policy/, ['lib/invoices/late-policy', ...SETTLES, ...GUARDS, 'lib/invoices/lock-first']],
      [
        /check_settlement|invoice_facts|refuse|trigger|check |unique/,
        [...GUARDS, ...SETTLES, 'testing/taken-over-workers'],
      ],
      [/./, [...SETTLES, ...GUARDS, 'lib/invoices/settle-isolated', 'lib/invoices/dust', 'testing/taken-over-workers']],
    ],
  },
  deposits: {
    name: 'deposits',
    domains: ['deposits'],
    statements: /^deposits\./,
    functions: ['attach_deposit'],
    tables: ['deposit', 'deposit_attribution', 'deposit_credit', 'settlement_task'],
    sources: ['lib/deposits/confirmations.ts'],
    seenBy: [
      [IS_GRANT, RIGHTS],
      [/compare-/, ['lib/deposits/booking-audit-repository']],
      [/credit|explained|missing-keys|pool-address|hand-on|lock-cursor/, BRINGS_IN],
      [/lock-unbooked|lock-lost|mark-/, ['lib/deposits/booking-repository', ...RECORDS]],
      [/store-sights/, ['lib/deposits/sight-repository', 'lib/chain-sync/record-mempool']],
      [
        /store-transfers|deposit_amount_positive|deposit_block_whole|deposit_extra/,
        ['lib/deposits/repository', ...RECORDS],
      ],
      [/queue-|-tasks/, ['lib/deposits/queue-repository']],
      [
        /newest-of-wallet|of-wallets/,
        [
          'lib/deposits/transaction-repository',
          'lib/deposits/repository',
          'lib/invoices/long-details',
          'lib/deposits/confirmations',
        ],
      ],
      [/unattributed|foreign|attach|find-target/, ['lib/deposits/unattributed-repository', 'lib/deposits/a']],
      [
        /orphan|lost|booked/,
        ['lib/deposits/repository', ...RECORDS, 'lib/invoices/settle-invoice', 'lib/invoices/settle-isolated'],
      ],
      [/./, [...RECORDS, 'lib/deposits/announce', 'lib/deposits/attach', 'workers/watcher/missed-money']],
    ],
  },
  'chain-sync': {
    name: 'chain-sync',
    domains: ['chain-sync'],
    statements: /^chain-sync\./,
    functions: [],
    tables: ['chain_cursor', 'chain_block', 'watcher_outage', 'rescan'],
    sources: [
      ...['lib/chain-sync/cursor.ts', 'lib/chain-sync/find-fork-point.ts', 'lib/chain-sync/chain-guard.ts'],
      ...['lib/chain-sync/progress.ts', 'lib/chains/confirmation.ts'],
    ],
    seenBy: [
      [IS_GRANT, RIGHTS],
      [/chain_cursor_held/, ['testing/restore']],
      [/rescan|foreign-blocks|outages|outage_lasts/, ['lib/chain-sync/rescan-repository', ...BRINGS_IN]],
      [/progress/, ['lib/chain-sync/cursor-writes', 'workers/watcher/progress']],
      [
        /./,
        [
          ...['lib/chain-sync/cursor-writes', 'lib/chain-sync/cursor-repository', 'lib/chain-sync/watched-addresses'],
          ...['lib/chain-sync/epochs', 'lib/chain-sync/record-blocks', 'lib/chain-sync/lost-lease'],
        ],
      ],
    ],
  },
  ledger: {
    name: 'ledger',
    domains: ['ledger'],
    statements: /^ledger\./,
    functions: ['post_entries', 'apply_postings', 'check_entry_balance', 'check_entry_sides', 'refuse_ledger_change'],
    tables: ['ledger_account', 'ledger_entry', 'ledger_posting'],
    sources: [],
    seenBy: [
      [IS_GRANT, RIGHTS],
      [/compare-/, ['lib/ledger/difference-repository']],
      [/holdings/, ['lib/ledger/book-chain-reset', 'lib/chain-sync/epochs']],
      [
        /./,
        [
          ...['lib/ledger/post-entries', 'lib/ledger/guards', 'lib/ledger/ledger-walk', 'lib/deposits/bookings'],
          ...['lib/chain-sync/record-blocks', 'lib/deposits/attach'],
        ],
      ],
    ],
  },
  pool: {
    name: 'pool',
    domains: ['wallets'],
    statements:
      /^wallets\.(begin-generation|next-derivation|insert-addresses|claim|pool|settle|begin|restore|burn|lengthen|finish)/,
    functions: [
      ...['claim_wallet', 'create_primary_wallet', 'data_location', 'is_restore_pending', 'hold_claims', 'hold_cursor'],
      ...['settle_pool', 'begin_restore', 'finish_restore', 'is_pool_held', 'confirm_pool', 'note_home'],
      'burn_while_restored',
    ],
    tables: ['pool_address', 'pool_generation', 'wallet', 'pool_home', 'pool_restore', 'pool_burn'],
    sources: ['lib/wallets/pool-witness.ts'],
    seenBy: [
      [IS_GRANT, RIGHTS],
      [
        /restore|burn|hold_|held|confirm|home|data_location|settle_pool|settle-pool|pool_home|pool-state/,
        ['testing/restore', 'workers/dispatcher/run-pool'],
      ],
      [
        /./,
        [
          'lib/wallets/claim-wallet',
          'testing/pool',
          'lib/invoices/create-invoice',
          'lib/chain-sync/watched-addresses',
          'testing/restore',
        ],
      ],
    ],
  },
  sale: {
    name: 'sale',
    domains: ['invoices', 'rates'],
    statements: /^(rates\.|invoices\.(create|price|live-chains))/,
    functions: ['check_price', 'create_invoice', 'price_invoice', 'take_invoice_quota', 'return_invoice_quota'],
    tables: ['coin_rate', 'invoice_quota'],
    sources: ['lib/rates/aggregate.ts', 'lib/rates/decide-rate.ts'],
    seenBy: [
      [IS_GRANT, RIGHTS],
      [/rate/, ['lib/rates/rates', 'lib/invoices/create-invoice', 'testing/taken-over-web']],
      [/quota/, ['lib/invoices/quota']],
      [
        /./,
        ['lib/invoices/create-invoice', 'testing/taken-over-web', 'lib/invoices/quota', 'workers/watcher/progress'],
      ],
    ],
  },
};

/** Functions of the database that belong to no module: they touch neither money nor what is sold. */
export const NOT_MUTATED: readonly string[] = ['follow_webhook', 'refuse_revival'];

/** What drives everything at once: it sees much, and takes long. */
export const DEEP_TESTS = ['lib/invoices/settlement-cases', 'lib/invoices/settlement-model'];

/** Test files that can see a mutant. */
export function testsOf(module: MutatedModule, mutant: string): readonly string[] {
  return module.seenBy.find(([fits]) => fits.test(mutant))?.[1] ?? [];
}
