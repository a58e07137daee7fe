import { GRANT_MATRIX } from './grant-matrix';
import { type Source, writtenTables } from './statement-rules';

/** What an exception is held against. */
interface Evidence {
  /** The statement, or the function's body. */
  text: string;
  statements: readonly { name: string; text: string }[];
  sources: readonly Source[];
}

interface Exception {
  /** A statement's or a function's name. */
  name: string;
  /** Tables that it reads as they were before its wait. */
  reads: string[];
  /** Why that is harmless. */
  because: string;
  /** Tells whether the reason still holds. */
  isTrue(evidence: Evidence): boolean;
}

/** No login and no function may change a row of the table that is there. */
const neverUpdated = (table: string) =>
  Object.values(GRANT_MATRIX).every((rights) => !/\bUPDATE\b/.test(rights[`table ${table}`] ?? ''));

/** No login and no function may change a column of the table. */
const neverUpdatedIn = (table: string, column: string) =>
  Object.values(GRANT_MATRIX).every((rights) => {
    const [, columns] = /\bUPDATE(\([^)]*\))?/.exec(rights[`table ${table}`] ?? '') ?? [];
    return !/\bUPDATE(?!\()/.test(rights[`table ${table}`] ?? '') && !(columns ?? '').match(/\w+/g)?.includes(column);
  });

/** In a file, one call stands before another. */
const callsInOrder = ({ sources }: Evidence, path: string, first: string, then: string) => {
  const text = sources.find((source) => source.path === path)?.text ?? '';
  const at = text.indexOf(then);
  return at > 0 && text.lastIndexOf(first, at) > text.lastIndexOf('export async function', at);
};

/** Every statement or function that may wait for a row and reads another table too. */
export const READS_BESIDE_WAIT: readonly Exception[] = [
  {
    name: 'deposits.delete-idle-tasks',
    reads: ['invoice'],
    because: 'a task never changes: a wait for one ends with its being gone, or with nothing done to it',
    isTrue: () => neverUpdated('settlement_task'),
  },
  {
    name: 'deposits.store-transfers',
    reads: ['wallet'],
    because: 'a wallet never changes, and nobody is shown an address before its wallet is committed',
    isTrue: () => neverUpdated('wallet'),
  },
  {
    name: 'deposits.store-sights',
    reads: ['chain_cursor', 'wallet'],
    because: 'the cursor is locked by then, and a wallet never changes',
    isTrue: (evidence) =>
      neverUpdated('wallet') &&
      callsInOrder(evidence, 'lib/chain-sync/record-blocks.ts', 'lockCursor(', 'recordSights('),
  },
  {
    name: 'chain-sync.note-head',
    reads: ['pool_generation'],
    because:
      'a generation only grows: one that is committed during the wait is found by the next look, and none is used before',
    isTrue: ({ statements }) =>
      statements
        .filter(({ text }) => writtenTables(text).includes('pool_generation'))
        .every(({ text }) => /SET generation = \w+\.generation \+ 1/.test(text)),
  },
  {
    name: 'chain-sync.delete-old-outages',
    reads: ['invoice'],
    because: 'an outage never changes, and no invoice comes into being in a time that is long over',
    isTrue: () => neverUpdated('watcher_outage'),
  },
  {
    name: 'deposits.lock-credits',
    reads: ['pool_address'],
    because: 'an address stays what it is',
    isTrue: () => neverUpdatedIn('pool_address', 'address'),
  },
  {
    name: 'note_surplus',
    reads: ['coin_rule', 'wallet'],
    because: 'a wallet never changes, and rules of coins change with a release alone',
    isTrue: () => neverUpdated('wallet') && neverUpdated('coin_rule'),
  },
  {
    name: 'settle_pool',
    reads: ['data_location'],
    because: 'it is no table: a function that asks the server where it is',
    isTrue: () => Object.values(GRANT_MATRIX).every((rights) => !('table data_location' in rights)),
  },
  {
    name: 'settle_invoices',
    reads: ['invoice_event'],
    because: 'the same invoices are locked by an earlier statement of the function: it does not wait for them again',
    isTrue: ({ text }) => {
      const lock = text.search(/PERFORM 1 FROM "invoice" v WHERE v\."id" IN [^;]* ORDER BY v\."id" FOR NO KEY UPDATE;/);
      return lock > 0 && lock < text.indexOf('UPDATE "invoice"');
    },
  },
];
