import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import multicall3 from '@/lib/chains/evm/multicall3.json';
import type { EvmReader } from '@/lib/chains/evm/reader';
import { chainDefinition } from '@/lib/chains/registry';
import type { Database } from '@/lib/db/database';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import { systemClock } from '@/lib/shared/time';
import { type Anvil, anvilReader, startAnvil } from './anvil';
import { type MadeInvoice, makeInvoice, makePool, makeUser } from './factories';

const CONFIRMATIONS = 2;
const ADDRESSES = 20;
/** Passes what it gets on to the address in its call data, by an internal transfer. */
const FORWARDER = '0x00000000000000000000000000000000000f0001';
const FORWARDER_CODE = '0x6000808080346000355af100';

export interface WatchedChain {
  anvil: Anvil;
  /** An account of the node's own. */
  payer: string;
  /** A watched address that nobody has. */
  freeAddress: string;
  /** The product's reader of this chain, or on another URL. */
  reader(url?: string): EvmReader;
  /** A pending invoice on a watched address of its own. */
  invoice(dueUnits: bigint): Promise<MadeInvoice & { address: string }>;
  /** Sends and waits for the block: anvil answers before it mines. */
  pay(to: string, amountUnits: bigint): Promise<void>;
  /** The same through a contract: no transaction to the address, nothing for the watcher to see. */
  payThroughContract(to: string, amountUnits: bigint): Promise<void>;
  /** Lets the watcher read what is there. */
  read(): Promise<void>;
  /** Mines until everything so far is final, and lets the watcher read it. */
  finalize(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A real Ethereum node (a block per transaction, final after four more, Multicall3) with a real watcher on an empty
 * database. Nothing is read but when told.
 * @param options.settles false leaves settlements in the queue
 */
export async function startWatchedChain(
  db: Database,
  { isDevnet = false, settles = true } = {},
): Promise<WatchedChain> {
  const anvil = await startAnvil(['--slots-in-an-epoch', '2']);
  await anvil.rpc('anvil_setCode', [multicall3.address, multicall3.runtimeBytecode]);
  await anvil.rpc('anvil_setCode', [FORWARDER, FORWARDER_CODE]);
  const [payer = ''] = (await anvil.rpc('eth_accounts')) as string[];
  const addresses = await makePool(db.pool, { count: ADDRESSES });
  await db.pool.query(`INSERT INTO pool_generation VALUES ('EVM', 1)`);
  const reader = (url = anvil.url) => anvilReader(url);
  const watcher = new ChainWatcher({
    db,
    reader: reader(),
    settings: { confirmation: { kind: 'count', blocks: CONFIRMATIONS }, isDevnet, pollMs: 0 },
    traits: chainDefinition('ethereum').traits,
    drain: async (chain) => (settles ? drainSettlements(db, chain, systemClock) : undefined),
    signal: new AbortController().signal,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  });
  await watcher.tick();
  const send = async (to: string, amountUnits: bigint, data = '0x') => {
    const value = `0x${amountUnits.toString(16)}`;
    const hash = await anvil.rpc('eth_sendTransaction', [{ from: payer, to, value, gas: '0x30000', data }]);
    while ((await anvil.rpc('eth_getTransactionReceipt', [hash])) === null) await sleep(10);
  };
  return {
    anvil,
    payer,
    freeAddress: addresses.at(-1) ?? '',
    reader,
    invoice: (dueUnits) => invoiceOn(db, dueUnits),
    pay: (to, amountUnits) => send(to, amountUnits),
    payThroughContract: (to, amountUnits) => send(FORWARDER, amountUnits, `0x${to.slice(2).padStart(64, '0')}`),
    read: () => watcher.tick(),
    finalize: async () => {
      await anvil.rpc('anvil_mine', ['0x8']);
      await watcher.tick();
    },
    stop: async () => {
      await watcher.close();
      await anvil.stop();
    },
  };
}

async function invoiceOn(db: Database, dueUnits: bigint): Promise<MadeInvoice & { address: string }> {
  const { id } = await makeUser(db.pool);
  const invoice = await makeInvoice(db.pool, { userId: id, dueUnits });
  const { rows } = await db.pool.query<{ address: string }>('SELECT address FROM wallet WHERE id = $1', [
    invoice.walletId,
  ]);
  return { ...invoice, address: rows[0]?.address ?? '' };
}
