import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ChainWatcher, type ChainWatcherOptions } from '@/lib/chain-sync/chain-watcher';
import { takeLease } from '@/lib/chain-sync/lease-keeper';
import { chainDefinition } from '@/lib/chains/registry';
import { ChainError, type ChainReader } from '@/lib/chains/types';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { depositsOfWallets } from '@/lib/deposits/deposits-of-wallets';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import { systemClock } from '@/lib/shared/time';
import { type Anvil, anvilReader, startAnvil } from '@/testing/anvil';
import { emptyTables } from '@/testing/empty-tables';
import { type MadeInvoice, makeInvoice, makePool, makeUser } from '@/testing/factories';
import { answering, type ScriptedCall, type ScriptedNode, startScriptedNode } from '@/testing/scripted-node';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const ETH = 10n ** 18n;
const DUE = ETH / 100n;
const FORWARDER = '0x00000000000000000000000000000000000f0001';
const TOKEN = '0x00000000000000000000000000000000000f0002';

let database: TestDatabase;
/** The owner's connection, to prepare and to look. */
let owner: Database;
/** The watcher's own login: what it may not do fails here. */
let db: Database;
let anvil: Anvil;
let payer: string;
const watchers: ChainWatcher[] = [];
const nodes: ScriptedNode[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  owner = database.db;
  db = openDatabase(database.roleUrl('watcher'), { max: 4, applicationName: 'test-watcher' });
});
afterAll(async () => {
  await closeDatabase(db);
  await database.drop();
});
beforeEach(async () => {
  await emptyTables(owner.pool);
  anvil = await startAnvil(['--slots-in-an-epoch', '16']);
  payer = ((await anvil.rpc('eth_accounts')) as string[])[0] ?? '';
});
afterEach(async () => {
  await Promise.all(watchers.splice(0).map((watcher) => watcher.close()));
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
  await anvil.stop();
});

function readerOf(url: string): ChainReader {
  return anvilReader(url);
}

interface WatchOptions {
  url?: string;
  reader?: ChainReader;
  isDevnet?: boolean;
  confirmations?: number;
  drain?: ChainWatcherOptions['drain'];
  leaseTtlMs?: number;
}

function watch(options: WatchOptions = {}) {
  const { url = anvil.url, isDevnet = false, confirmations = 1, drain, leaseTtlMs = 5_000 } = options;
  const { reader = readerOf(url) } = options;
  const watcher = new ChainWatcher({
    db,
    reader,
    settings: { confirmation: { kind: 'count', blocks: confirmations }, isDevnet, pollMs: 0 },
    traits: chainDefinition('ethereum').traits,
    drain: drain ?? ((chain) => drainSettlements(db, chain, systemClock)),
    signal: new AbortController().signal,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    leaseTtlMs,
  });
  watchers.push(watcher);
  return watcher;
}

/** A node that is anvil, except for the calls to which `change` has another answer. */
async function altered(change: (call: ScriptedCall) => unknown): Promise<ScriptedNode> {
  const node = await startScriptedNode(
    answering(async (call) => (await change(call)) ?? anvil.rpc(call.method, call.params)),
  );
  nodes.push(node);
  return node;
}

async function addToPool(generation: bigint): Promise<string> {
  const [address] = await makePool(owner.pool, { count: 1, generation });
  await owner.pool.query(
    `INSERT INTO pool_generation VALUES ('EVM', $1) ON CONFLICT (family) DO UPDATE SET generation = $1`,
    [generation],
  );
  return address ?? '';
}

/** A pending invoice with an address that the watcher has loaded. */
async function invoiced(watcher: ChainWatcher): Promise<MadeInvoice & { address: string }> {
  await addToPool(1n);
  await watcher.tick();
  const { id } = await makeUser(owner.pool);
  const invoice = await makeInvoice(owner.pool, { userId: id, dueUnits: DUE });
  const { rows } = await owner.pool.query<{ address: string }>('SELECT address FROM wallet WHERE id = $1', [
    invoice.walletId,
  ]);
  const address = rows[0]?.address ?? '';
  await watcher.tick();
  return { ...invoice, address };
}

const hex = (value: bigint | number) => `0x${value.toString(16)}`;
const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;

/** Sends and waits for the block: anvil answers before it mines. */
async function pay(to: string, value: bigint, transaction: object = {}): Promise<string> {
  const sent = [{ from: payer, to, value: hex(value), gas: '0x30000', ...transaction }];
  const hash = String(await anvil.rpc('eth_sendTransaction', sent));
  await vi.waitFor(async () => expect(await anvil.rpc('eth_getTransactionReceipt', [hash])).not.toBeNull(), 10_000);
  return hash;
}

async function cursor() {
  const { rows } = await owner.pool.query('SELECT * FROM chain_cursor');
  return rows[0];
}

async function invoiceStatus(uuid: string) {
  const { rows } = await owner.pool.query('SELECT status, payment_state FROM invoice WHERE uuid = $1', [uuid]);
  return rows[0];
}

async function depositsOf(invoice: MadeInvoice) {
  return (await depositsOfWallets(owner.pool, [invoice.walletId])).get(invoice.walletId) ?? [];
}

async function head(): Promise<bigint> {
  return BigInt((await anvil.rpc('eth_blockNumber')) as string);
}

describe('reading', () => {
  test('the first start begins at the head, and only then may addresses be assigned', async () => {
    await anvil.rpc('anvil_mine', ['0x32']);
    await addToPool(1n);
    const down = await altered((call) => (call.method === 'eth_getBlockByNumber' ? Promise.resolve({}) : undefined));
    await watch({ url: down.url }).tick();
    expect(await cursor()).toMatchObject({ height: null, loaded_generation: 0n });
    await watchers[0]?.close();
    await watch().tick();
    expect(await cursor()).toMatchObject({
      height: 50n,
      head_height: 50n,
      loaded_generation: 1n,
      epoch: 0,
      confirmations: 1,
    });
  });

  test('a payment is found, confirmed and settled: the invoice is paid', async () => {
    const watcher = watch({ confirmations: 2 });
    const invoice = await invoiced(watcher);
    const hash = await pay(invoice.address, DUE);
    await watcher.tick();
    expect(await depositsOf(invoice)).toMatchObject([
      { txHash: hash, amountUnits: DUE, confirmations: 1, isConfirmed: false },
    ]);
    expect(await invoiceStatus(invoice.uuid)).toEqual({ status: 'pending', payment_state: 'confirming' });
    await anvil.rpc('evm_mine');
    await watcher.tick();
    expect(await invoiceStatus(invoice.uuid)).toEqual({ status: 'paid', payment_state: 'settled' });
    expect(await cursor()).toMatchObject({ height: BigInt(await head()) });
  });

  test('[A1] [A2] [A5] [A17] reverted, passed-on, token and zero payments are not credited', async () => {
    await anvil.rpc('anvil_setCode', [FORWARDER, '0x6000808080346000355af100']);
    await anvil.rpc('anvil_setCode', [
      TOKEN,
      `0x6001600052600035337f${'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'}60206000a300`,
    ]);
    const watcher = watch();
    const invoice = await invoiced(watcher);
    await pay(FORWARDER, DUE, { data: word(invoice.address) });
    await pay(TOKEN, 0n, { data: word(invoice.address) });
    await pay(invoice.address, 0n);
    await anvil.rpc('anvil_setCode', [invoice.address, '0x600080fd']);
    await pay(invoice.address, DUE);
    await watcher.tick();
    expect(await cursor()).toMatchObject({ height: BigInt(await head()) });
    expect((await owner.pool.query('SELECT 1 FROM deposit')).rows).toEqual([]);
    expect(BigInt((await anvil.rpc('eth_getBalance', [invoice.address, 'latest'])) as string)).toBe(DUE);
  });

  test('[A19] money for an address that nobody has is kept, without a wallet', async () => {
    const address = await addToPool(1n);
    const watcher = watch();
    await watcher.tick();
    await pay(address, 5n);
    await watcher.tick();
    const { rows } = await owner.pool.query('SELECT wallet_id, amount_units FROM deposit');
    expect(rows).toEqual([{ wallet_id: null, amount_units: 5n }]);
  });

  test('[A18] a payment of more than 2^126 wei survives to the unit', async () => {
    const watcher = watch();
    const invoice = await invoiced(watcher);
    const amount = 2n ** 127n - 1n;
    await anvil.rpc('anvil_setBalance', [payer, hex(2n ** 128n - 1n)]);
    await pay(invoice.address, amount);
    await watcher.tick();
    expect((await depositsOf(invoice)).map((deposit) => deposit.amountUnits)).toEqual([amount]);
  });

  test('an address that is added while the watcher runs is watched before it can be assigned', async () => {
    const watcher = watch();
    await invoiced(watcher);
    const { id } = await makeUser(owner.pool);
    const added = await addToPool(2n);
    const claim = () => owner.pool.query(`SELECT address FROM claim_wallet($1, 'ETH', 'invoice')`, [id]);
    const before = (await claim()).rows.map((row) => row.address);
    expect(before).not.toContain(added);
    await watcher.tick();
    expect(await cursor()).toMatchObject({ loaded_generation: 2n });
    expect((await claim()).rows).toEqual([{ address: added }]);
    await pay(added, 7n);
    await watcher.tick();
    expect((await owner.pool.query('SELECT amount_units FROM deposit')).rows).toEqual([{ amount_units: 7n }]);
  });

  test('a quiet round is noted too: health sees a living watcher', async () => {
    const watcher = watch();
    await watcher.tick();
    await owner.pool.query(`UPDATE chain_cursor SET updated_at = 'epoch'`);
    await watcher.tick();
    expect((await cursor()).updated_at.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test('a long absence is caught up in steps', async () => {
    const watcher = watch();
    const invoice = await invoiced(watcher);
    await anvil.rpc('anvil_mine', ['0x10']);
    await pay(invoice.address, DUE);
    await anvil.rpc('anvil_mine', ['0x10']);
    await watcher.tick();
    expect(await depositsOf(invoice)).toMatchObject([{ confirmations: 17 }]);
    expect(await cursor()).toMatchObject({ height: BigInt(await head()) });
  });
});

describe('crashes and rivals', () => {
  test('a death between reading and committing loses nothing, and counts nothing twice', async () => {
    const reader = readerOf(anvil.url);
    const scan = reader.scan.bind(reader);
    let isDying = false;
    reader.scan = async (...range) => {
      const blocks = await scan(...range);
      if (isDying) throw new Error('killed');
      return blocks;
    };
    const dying = watch({ reader });
    const invoice = await invoiced(dying);
    await pay(invoice.address, DUE);
    isDying = true;
    await expect(dying.tick()).rejects.toThrow('killed');
    await dying.close();
    const next = watch();
    await next.tick();
    await next.tick();
    expect(await depositsOf(invoice)).toHaveLength(1);
    expect(await invoiceStatus(invoice.uuid)).toMatchObject({ status: 'paid' });
  });

  test('a death between committing and settling is made good by the next start', async () => {
    let drains = 0;
    const dying = watch({
      drain: async () => {
        drains += 1;
        if (drains > 3) throw new Error('killed');
      },
    });
    const invoice = await invoiced(dying);
    await pay(invoice.address, DUE);
    await expect(dying.tick()).rejects.toThrow('killed');
    expect(await depositsOf(invoice)).toHaveLength(1);
    await owner.pool.query('DELETE FROM settlement_task');
    await dying.close();
    await watch().tick();
    expect(await invoiceStatus(invoice.uuid)).toMatchObject({ status: 'paid' });
  });

  test('[C3] of two watchers one works; the other takes over when the lease ends, and the first stands by', async () => {
    const [first, second] = [watch(), watch()];
    const invoice = await invoiced(first);
    const { lease_token: token } = await cursor();
    await second.tick();
    expect(await cursor()).toMatchObject({ lease_token: token });
    await owner.pool.query("UPDATE chain_cursor SET lease_expires_at = now() - interval '1 s'");
    await second.tick();
    expect((await cursor()).lease_token).toBe(BigInt(token) + 1n);
    await pay(invoice.address, DUE);
    await first.tick();
    expect(await depositsOf(invoice)).toEqual([]);
    await Promise.all([first.tick(), second.tick()]);
    expect(await depositsOf(invoice)).toHaveLength(1);
    expect((await cursor()).lease_token).toBe(BigInt(token) + 1n);
  });

  test('a watcher that lost its lease cannot pause the coin for what its own node says, and stands by', async () => {
    const reader = readerOf(anvil.url);
    const first = watch({ reader });
    await first.tick();
    await owner.pool.query("UPDATE chain_cursor SET lease_expires_at = now() - interval '1 s'");
    await watch().tick();
    reader.head = () => Promise.reject(new ChainError('wrong_chain', 'the node is on another chain'));
    await first.tick();
    expect(await cursor()).toMatchObject({ lease_token: 2n, paused_reason: null });
  });

  test('a lease is kept while its watcher lives, even when it reads nothing', async () => {
    await watch({ leaseTtlMs: 300 }).tick();
    const { lease_expires_at: term } = await cursor();
    await vi.waitFor(async () =>
      expect((await cursor()).lease_expires_at.getTime()).toBeGreaterThan(term.getTime() + 300),
    );
    await watch().tick();
    expect(await cursor()).toMatchObject({ lease_token: 1n });
  });

  test('a dead watcher is replaced when its term is over', async () => {
    await takeLease(db, { chain: 'ethereum', owner: 'dead', ttlMs: 200, confirmations: 1 });
    const next = watch();
    await next.tick();
    expect(await cursor()).toMatchObject({ lease_token: 1n, height: null });
    await vi.waitFor(async () => {
      await next.tick();
      expect(await cursor()).toMatchObject({ lease_token: 2n, height: 0n });
    });
  });

  test('a watcher that stops gives its lease back at once', async () => {
    const first = watch();
    await first.tick();
    await first.close();
    await watch().tick();
    expect(await cursor()).toMatchObject({ lease_token: 2n });
  });
});

describe('reorgs', () => {
  test('[B1] a reorg takes a payment back, and being mined again counts it once', async () => {
    const watcher = watch({ confirmations: 2 });
    const invoice = await invoiced(watcher);
    await anvil.rpc('anvil_mine', ['0x5']);
    const raw = await anvil.rpc('eth_signTransaction', [
      { from: payer, to: invoice.address, value: hex(DUE), gas: '0x5208', gasPrice: hex(3_000_000_000), nonce: '0x0' },
    ]);
    await anvil.rpc('eth_sendRawTransaction', [raw]);
    await anvil.rpc('anvil_mine', ['0x2']);
    await watcher.tick();
    expect(await invoiceStatus(invoice.uuid)).toMatchObject({ status: 'paid' });
    await anvil.rpc('anvil_reorg', [4, []]);
    await watcher.tick();
    expect(await depositsOf(invoice)).toMatchObject([{ confirmations: 0, isConfirmed: false }]);
    expect(await invoiceStatus(invoice.uuid)).toEqual({ status: 'pending', payment_state: 'reversed' });
    expect((await cursor()).height).toBe(BigInt(await head()));
    await anvil.rpc('eth_sendRawTransaction', [raw]);
    await anvil.rpc('evm_mine');
    await watcher.tick();
    expect(await depositsOf(invoice)).toMatchObject([{ confirmations: 2, isConfirmed: true, orphaned: false }]);
    expect(await invoiceStatus(invoice.uuid)).toEqual({ status: 'paid', payment_state: 'settled' });
  });

  test('[B2] a reorg below the final block pauses the coin and credits nothing', async () => {
    const watcher = watch();
    const invoice = await invoiced(watcher);
    await anvil.rpc('anvil_mine', ['0x30']);
    await watcher.tick();
    const before = await cursor();
    await anvil.rpc('anvil_reorg', [40, []]);
    await pay(invoice.address, DUE);
    await watcher.tick();
    await watcher.tick();
    expect(await cursor()).toMatchObject({
      height: before.height,
      hash: before.hash,
      paused_reason: 'reorg_below_finalized',
    });
    expect(await depositsOf(invoice)).toEqual([]);
  });
});

describe('nodes that cannot be trusted', () => {
  test('[B3] a node that goes back does not move the cursor; far behind it pauses the coin until it is back', async () => {
    await anvil.rpc('anvil_mine', ['0x14']);
    let lag = 0;
    const node = await altered(async (call) =>
      call.params[0] === 'latest'
        ? anvil.rpc('eth_getBlockByNumber', [hex((await head()) - BigInt(lag)), false])
        : undefined,
    );
    const watcher = watch({ url: node.url });
    await watcher.tick();
    lag = 2;
    for (let round = 0; round < 5; round += 1) await watcher.tick();
    expect(await cursor()).toMatchObject({ height: 20n, head_height: 18n, paused_reason: null });
    lag = 3;
    for (let round = 0; round < 3; round += 1) await watcher.tick();
    expect(await cursor()).toMatchObject({ height: 20n, paused_reason: 'head_lower', epoch: 0 });
    lag = 0;
    await watcher.tick();
    expect(await cursor()).toMatchObject({ height: 20n, paused_reason: null });
  });

  test('[B5] a node that lies, fails or falls silent is never progress, and the payment is found afterwards', async () => {
    const faults: ((call: ScriptedCall) => unknown)[] = [
      (call) => (call.params[1] === true ? Promise.resolve('nonsense') : undefined),
      (call) => (call.params[1] === true ? Promise.resolve({ transactions: [] }) : undefined),
      (call) => (call.method === 'eth_getTransactionReceipt' ? Promise.resolve({ status: '0x1' }) : undefined),
      (call) => (call.method === 'eth_chainId' ? Promise.resolve('0x1') : undefined),
    ];
    let fault: ((call: ScriptedCall) => unknown) | undefined;
    const node = await altered((call) => fault?.(call));
    const watcher = watch({ url: node.url });
    const invoice = await invoiced(watcher);
    const { height } = await cursor();
    await pay(invoice.address, DUE);
    for (fault of faults) {
      await watcher.tick();
      expect(await cursor()).toMatchObject({ height });
    }
    fault = undefined;
    const { script } = node;
    node.script = (_, response) => void response.writeHead(502).end('<html>');
    await watcher.tick();
    node.script = (_, response) => void response.destroy();
    await watcher.tick();
    expect(await cursor()).toMatchObject({ height, paused_reason: 'wrong_chain_id' });
    node.script = script;
    await watcher.tick();
    expect(await cursor()).toMatchObject({ paused_reason: null });
    expect(await depositsOf(invoice)).toHaveLength(1);
  });

  test('[B5] a node that asks for fewer requests is left alone for as long as it says', async () => {
    const node = await altered(() => undefined);
    const watcher = watch({ url: node.url });
    await watcher.tick();
    node.script = (_, response) => void response.writeHead(429, { 'retry-after': '60' }).end();
    await watcher.tick();
    const asked = node.calls.length;
    await watcher.tick();
    expect(node.calls).toHaveLength(asked);
  });
});

describe('another chain behind the same URL', () => {
  /** Another anvil, older than the first by its genesis time. */
  async function replaceChain(args: string[] = []): Promise<void> {
    await anvil.stop();
    anvil = await startAnvil(['--timestamp', '1700000000', ...args]);
  }

  test('a devnet that was replaced begins a new epoch: old invoices close, new payments count', async () => {
    const node = await altered(() => undefined);
    const watcher = watch({ url: node.url, isDevnet: true });
    const old = await invoiced(watcher);
    await pay(old.address, DUE / 2n);
    await watcher.tick();
    expect(await invoiceStatus(old.uuid)).toMatchObject({ status: 'pending', payment_state: 'partial' });
    await replaceChain();
    await anvil.rpc('anvil_mine', ['0x9']);
    await watcher.tick();
    expect(await cursor()).toMatchObject({ epoch: 1, height: 9n, paused_reason: null });
    expect(await invoiceStatus(old.uuid)).toMatchObject({ status: 'expired' });
    expect(await depositsOf(old)).toEqual([]);
    const address = await addToPool(2n);
    await watcher.tick();
    await pay(address, 3n);
    await watcher.tick();
    expect((await owner.pool.query('SELECT amount_units FROM deposit WHERE epoch = 1')).rows).toEqual([
      { amount_units: 3n },
    ]);
  });

  test('a devnet with a lower head begins a new epoch', async () => {
    await anvil.rpc('anvil_mine', ['0x14']);
    const node = await altered(() => undefined);
    const watcher = watch({ url: node.url, isDevnet: true });
    await watcher.tick();
    await anvil.rpc('anvil_rollback', [10]);
    for (let round = 0; round < 3; round += 1) await watcher.tick();
    expect(await cursor()).toMatchObject({ epoch: 1, height: 10n });
  });

  test('a devnet that lost more than its final blocks, and grew again, begins a new epoch', async () => {
    await anvil.rpc('anvil_mine', ['0x40']);
    const watcher = watch({ isDevnet: true });
    await watcher.tick();
    await anvil.rpc('anvil_mine', ['0x1']);
    await watcher.tick();
    await anvil.rpc('anvil_reorg', [50, []]);
    await watcher.tick();
    expect(await cursor()).toMatchObject({ epoch: 1, height: BigInt(await head()), paused_reason: null });
  });

  test('a coin that is no devnet is paused and credits nothing, until its own chain is back', async () => {
    const node = await altered(() => undefined);
    const watcher = watch({ url: node.url });
    const invoice = await invoiced(watcher);
    const before = await cursor();
    const own = anvil;
    anvil = await startAnvil(['--timestamp', '1700000000']);
    await pay(invoice.address, DUE);
    await anvil.rpc('anvil_mine', ['0x5']);
    for (let round = 0; round < 3; round += 1) await watcher.tick();
    expect(await cursor()).toMatchObject({
      epoch: 0,
      height: before.height,
      hash: before.hash,
      paused_reason: 'foreign_chain',
    });
    expect(await depositsOf(invoice)).toEqual([]);
    expect(await invoiceStatus(invoice.uuid)).toMatchObject({ status: 'pending' });
    await anvil.stop();
    anvil = own;
    await watcher.tick();
    expect(await cursor()).toMatchObject({ paused_reason: null });
    await pay(invoice.address, DUE);
    await watcher.tick();
    expect(await invoiceStatus(invoice.uuid)).toMatchObject({ status: 'paid' });
  });
});
