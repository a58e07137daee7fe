/** What is mutated, and who can see it. */
export const MODULES = ['settlement', 'deposits', 'chain-sync', 'ledger'] as const;
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
const GUARDS = ['testing/taken-over-workers', 'lib/invoices/settlement-guards', 'lib/invoices/in-time'];
const RECORDS = [
  ...['lib/chain-sync/record-blocks', 'lib/chain-sync/counting', 'lib/chain-sync/record-mempool'],
  ...['lib/chain-sync/epochs', 'lib/deposits/bookings'],
];
const AUDITS = ['lib/reconciliation/reconcile.integration'];

export const MUTATED: Readonly<Record<ModuleName, MutatedModule>> = {
  settlement: {
    name: 'settlement',
    domains: ['invoices'],
    statements: /^invoices\.(lock|settle|settlement-facts|note-event|expirable)/,
    functions: [
      ...['settle_invoice', 'check_settlement', 'invoice_facts', 'add_event', 'note_event', 'enqueue_mail'],
      ...[
        'keep_status_history',
        'refuse_illegal_transition',
        'refuse_repricing',
        'refuse_version',
        'refuse_late_again',
      ],
    ],
    tables: ['invoice', 'invoice_event', 'invoice_status_change'],
    sources: ['lib/invoices/state.ts', 'lib/invoices/misfit.ts'],
    seenBy: [
      [IS_GRANT, RIGHTS],
      [/expirable/, ['lib/invoices/expire-invoices', ...SETTLES, 'lib/invoices/in-time']],
      [/check_settlement|invoice_facts|refuse|trigger|check |unique/, [...SETTLES, ...GUARDS]],
      [/./, [...SETTLES, ...GUARDS, 'lib/invoices/dust']],
    ],
  },
  deposits: {
    name: 'deposits',
    domains: ['deposits'],
    statements: /^deposits\./,
    functions: ['attach_deposit'],
    tables: ['deposit', 'deposit_attribution', 'settlement_task'],
    sources: ['lib/deposits/confirmations.ts'],
    seenBy: [
      [IS_GRANT, RIGHTS],
      [/compare-/, AUDITS],
      [/store-sights/, ['lib/chain-sync/record-mempool']],
      [/newest-of-wallet|of-wallets/, ['lib/invoices/long-details', 'lib/deposits/confirmations']],
      [/unattributed|foreign|attach|find-target/, ['lib/deposits/a']],
      [/queue|tasks|orphan|lost|booked/, [...RECORDS, 'lib/invoices/settle-invoice']],
      [/./, [...RECORDS, 'lib/deposits/announce', 'lib/deposits/attach']],
    ],
  },
  'chain-sync': {
    name: 'chain-sync',
    domains: ['chain-sync'],
    statements: /^chain-sync\./,
    functions: [],
    tables: ['chain_cursor', 'chain_block', 'watcher_outage'],
    sources: [
      ...['lib/chain-sync/cursor.ts', 'lib/chain-sync/find-fork-point.ts', 'lib/chain-sync/chain-guard.ts'],
      'lib/chains/confirmation.ts',
    ],
    seenBy: [
      [IS_GRANT, RIGHTS],
      [
        /./,
        [
          ...['lib/chain-sync/record-blocks', 'lib/chain-sync/counting', 'lib/chain-sync/record-mempool'],
          ...['lib/chain-sync/cursor-repository', 'lib/chain-sync/epochs', 'lib/chain-sync/watched-addresses'],
          'lib/chain-sync/lost-lease',
        ],
      ],
    ],
  },
  ledger: {
    name: 'ledger',
    domains: ['ledger'],
    statements: /^ledger\./,
    functions: ['apply_postings', 'check_entry_balance', 'lock_balances', 'refuse_ledger_change'],
    tables: ['ledger_account', 'ledger_entry', 'ledger_posting'],
    sources: [],
    seenBy: [
      [IS_GRANT, RIGHTS],
      [/compare-/, AUDITS],
      [
        /./,
        [
          ...['lib/ledger/post-entries', 'lib/chain-sync/record-blocks', 'lib/deposits/attach'],
          ...['lib/ledger/guards', 'lib/deposits/bookings'],
        ],
      ],
    ],
  },
};

/** What drives everything at once: it sees much, and takes long. */
export const DEEP_TESTS = ['lib/invoices/settlement-cases', 'lib/invoices/settlement-model'];

/** Test files that can see a mutant. */
export function testsOf(module: MutatedModule, mutant: string): readonly string[] {
  return module.seenBy.find(([fits]) => fits.test(mutant))?.[1] ?? [];
}
