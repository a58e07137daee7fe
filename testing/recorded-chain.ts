import { resetEpoch, startCursor } from '@/lib/chain-sync/chain-start';
import { takeLease } from '@/lib/chain-sync/lease-keeper';
import { type BlockRun, type RecordResult, recordBlocks, recordMempool } from '@/lib/chain-sync/record-blocks';
import { rollBack } from '@/lib/chain-sync/roll-back';
import { WatchedAddresses } from '@/lib/chain-sync/watched-addresses';
import { setLoadedGeneration } from '@/lib/chain-sync/watched-repository';
import type { ConfirmationRule, ScannedBlock, Transfer } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import { emptyTables } from './empty-tables';
import { type MadeInvoice, makeInvoice, makePool, makeUser } from './factories';
import { blockHash, makeBlocks } from './made-chain';

/** Height of the block on which the cursor begins. */
const START = 100;
/** Made blocks have dates of their own. */
const ANY_TIME = { toleratedAheadSeconds: null };
/** Our clock at the first sight of everything, unless a test says otherwise: long after the made blocks. */
export const SEEN_AT = new Date('2026-11-27T12:00:00Z');

export interface Payable extends MadeInvoice {
  address: string;
  merchantEmail: string;
}

type Blocks = Parameters<typeof makeBlocks>[2];

export interface RecordedChain {
  /** Pending invoices in ETH, each on a watched address of its own. */
  invoices: [Payable, ...Payable[]];
  /** A watched address that nobody has. */
  spare: string;
  /** Records made blocks and settles what they bring. @param given.finalized what the node says is final */
  record(from: number, to: number, given?: Blocks & { finalized?: number; seenAt?: Date }): Promise<RecordResult>;
  /** Records these blocks as they are. */
  recordAll(blocks: ScannedBlock[]): Promise<RecordResult>;
  /** Records what waits in the mempool, and settles. */
  look(sights: readonly Transfer[], given?: { isComplete?: boolean; seenAt?: Date }): Promise<void>;
  /** Takes back the blocks above a height, and settles. */
  undo(height: number): Promise<void>;
  /** Another chain stands in the place of this one: its head is the block of that height on the branch `new`. */
  replace(height: number): Promise<void>;
  /** What an invoice shows. */
  shown({ id }: MadeInvoice): Promise<{ status: string; state: string; paid: bigint; received: bigint }>;
}

/**
 * A chain that is recorded by hand, without a node: empty tables, a cursor on block 100 and invoices that can be paid.
 * Transfers are keyed by output, as on a chain whose mempool is seen.
 * @param options.recorder another connection for what the watcher does
 * @param options.prepare makes more addresses before they are loaded
 */
export async function startRecordedChain(
  db: Database,
  {
    rule = { kind: 'count', blocks: 2 } as ConfirmationRule,
    invoiceCount = 1,
    expiresAt = new Date('2027-01-01T00:00:00Z'),
    recorder = db,
    prepare = async (): Promise<unknown> => undefined,
  } = {},
): Promise<RecordedChain> {
  await emptyTables(db.pool);
  const lease = await takeLease(db, { chain: 'ethereum', owner: 'test', ttlMs: 600_000, confirmations: 2 });
  const [block] = makeBlocks(START, START);
  if (!lease || !block) throw new Error('no lease');
  const headAt = (height: number, finalized?: number) => ({
    height: BigInt(height),
    hash: blockHash('a', height),
    time: SEEN_AT,
    finalizedHeight: finalized === undefined ? null : BigInt(finalized),
  });
  await startCursor(db, lease, {
    genesisHash: blockHash('a', 0),
    block,
    ancestors: makeBlocks(START - 2, START - 1),
    head: headAt(START),
    rule,
    ...ANY_TIME,
  });
  await setLoadedGeneration(db.pool, lease, 1n);
  await prepare();
  const first = await payable(db, expiresAt);
  const others: Payable[] = [];
  while (others.length < invoiceCount - 1) others.push(await payable(db, expiresAt));
  const [spare = ''] = await makePool(db.pool, { count: 1 });
  await db.pool.query("INSERT INTO pool_generation VALUES ('EVM', 1)");
  const addresses = new WatchedAddresses(db, lease);
  await addresses.load();
  let branch = 'a';
  const traits = { keptBlocks: 512, transferKey: 'output' } as const;
  const recording = (seenAt = SEEN_AT) => ({ rule, traits, watched: addresses.ids, seenAt, ...ANY_TIME });
  const settled = async <T>(result: T): Promise<T> => {
    await drainSettlements(recorder, 'ethereum', () => SEEN_AT);
    return result;
  };
  const run = async (given: Pick<BlockRun, 'blocks' | 'head'>, seenAt?: Date) =>
    settled(await recordBlocks(recorder, lease, { ...recording(seenAt), ...given }));
  return {
    invoices: [first, ...others],
    spare,
    record: (from, to, { finalized, seenAt, ...blocks } = {}) =>
      run({ blocks: makeBlocks(from, to, { branch, ...blocks }), head: headAt(to, finalized) }, seenAt),
    recordAll: (blocks) => run({ blocks, head: headAt(Number(blocks.at(-1)?.height)) }),
    async look(sights, { isComplete = true, seenAt } = {}) {
      await settled(await recordMempool(recorder, lease, sights, { ...recording(seenAt), isComplete }));
    },
    async replace(height) {
      const [block] = makeBlocks(height, height, { branch: 'new' });
      if (!block) throw new Error('no block');
      const start = { genesisHash: blockHash('new', 0), block, ancestors: [], head: headAt(height), rule, ...ANY_TIME };
      await settled(await resetEpoch(recorder, lease, start));
      branch = 'new';
    },
    async undo(height) {
      const blockAt = async (asked: bigint) =>
        makeBlocks(Number(asked), Number(asked), { branch: asked > BigInt(height) ? 'gone' : branch })[0];
      const known = async (asked: bigint) => (await blockAt(asked)) ?? Promise.reject(new Error('no block'));
      await settled(await rollBack(recorder, lease, { blockAt: known, rule, orphanedAt: SEEN_AT, headHeight: 0n }));
    },
    async shown({ id }) {
      const { rows } = await db.pool.query(
        `SELECT status, payment_state AS state, amount_paid_units AS paid, amount_received_units AS received
         FROM invoice WHERE id = $1`,
        [id],
      );
      return rows[0];
    },
  };
}

async function payable(db: Database, expiresAt: Date): Promise<Payable> {
  const { id: userId, email } = await makeUser(db.pool);
  const invoice = await makeInvoice(db.pool, { userId, expiresAt });
  const { rows } = await db.pool.query<{ address: string }>('SELECT address FROM wallet WHERE id = $1', [
    invoice.walletId,
  ]);
  return { ...invoice, address: rows[0]?.address ?? '', merchantEmail: email };
}
