import type { MemoryBlock, MemoryTransfer } from '@/testing/memory-block';
import type { MemoryChain } from '@/testing/memory-chain';
import type { Books, CursorRow, DepositRow, EntryRow } from './books';
import { Violation } from './violation';

/** What a check must know beside the stored rows. */
export interface ChainTruth {
  chain: MemoryChain;
  /** Every address of the pool. */
  ourAddresses: ReadonlySet<string>;
  /** Blocks up to here were there before the watcher's first start. */
  startHeight: number;
  /** The greatest height at which the cursor ever stood. */
  peakHeight: number;
  /** What was stored before the last step. */
  before: Pick<Books, 'cursor' | 'deposits'>;
  /** Wallet that an operator gave a deposit to, by the deposit's id. */
  attached: ReadonlyMap<string, number>;
}

interface Mined {
  transfer: MemoryTransfer;
  block: MemoryBlock;
}

/**
 * I3: each transfer to us on the branch that was read has exactly one live deposit, and exactly one live booking once it
 * is confirmed; nothing else has one. I4: the ledger says what lies on each of our addresses at the confirmed height.
 * @throws Violation
 */
export function checkDeposits(books: Books, truth: ChainTruth): void {
  const { cursor } = books;
  if (!cursor) return;
  checkReplaced(books, truth.before);
  const deposits = books.deposits.filter(({ epoch }) => epoch === cursor.epoch);
  const branch = truth.chain.branchOf(cursor.hash);
  if (branch.at(-1)?.height !== BigInt(cursor.height)) throw new Violation('I3 the cursor is on a block', cursor);
  const mined = transfersToUs(branch, truth);
  const live = deposits.filter((deposit) => !deposit.isOrphaned);
  for (const deposit of live) checkOnChain(deposit, mined.get(deposit.txHash));
  if (live.length !== mined.size)
    throw new Violation('I3 each transfer to us has one live deposit', { live, mined: [...mined.keys()] });
  for (const deposit of deposits) {
    const wallet = books.wallets.find(({ address }) => address === deposit.address);
    if (deposit.walletId !== (truth.attached.get(deposit.id) ?? wallet?.id ?? null))
      throw new Violation('I3 a deposit belongs to the wallet of its address', { deposit, wallet });
    checkBooking(deposit, books, truth.peakHeight);
  }
  checkTotals(books, cursor, [...mined.values()], truth.peakHeight);
}

/** Of a chain that was replaced nothing changes any more but the owner that an operator finds. */
function checkReplaced({ deposits, cursor }: Books, before: ChainTruth['before']): void {
  if (before.cursor?.epoch !== cursor?.epoch) return;
  const known = new Map(before.deposits.map((deposit) => [deposit.id, deposit]));
  for (const deposit of deposits.filter(({ epoch }) => epoch !== cursor?.epoch)) {
    const { walletId: _owner, ...was } = known.get(deposit.id) ?? { walletId: null };
    const { walletId: _now, ...is } = deposit;
    if (JSON.stringify(was) !== JSON.stringify(is))
      throw new Violation('nothing happens on a chain that was replaced', { was, is });
  }
}

function transfersToUs(branch: readonly MemoryBlock[], { ourAddresses, startHeight }: ChainTruth): Map<string, Mined> {
  const mined = new Map<string, Mined>();
  for (const block of branch.slice(startHeight + 1)) {
    for (const transfer of block.transfers)
      if (transfer.succeeds && ourAddresses.has(transfer.to)) mined.set(transfer.txHash, { transfer, block });
  }
  return mined;
}

function checkOnChain(deposit: DepositRow, mined: Mined | undefined): void {
  const isSame =
    mined !== undefined &&
    mined.transfer.to === deposit.address &&
    mined.transfer.amountUnits === BigInt(deposit.amountUnits) &&
    mined.block.hash === deposit.hash &&
    mined.block.height === BigInt(deposit.height) &&
    mined.block.time.getTime() === Date.parse(deposit.time);
  if (!isSame) throw new Violation('I3 a live deposit is a transfer of the branch', { deposit, mined: mined ?? null });
}

function bookingsOf(deposit: DepositRow, entries: readonly EntryRow[]): EntryRow[] {
  return entries.filter(({ depositId }) => depositId === deposit.id);
}

function confirmedHeight({ height, confirmations }: CursorRow): bigint {
  return BigInt(height) - BigInt(confirmations) + 1n;
}

function checkBooking(deposit: DepositRow, { cursor, entries }: Books, peakHeight: number): void {
  const bookings = bookingsOf(deposit, entries);
  const isLive = { deposit: 1, reversal: -1 };
  const net = bookings.reduce((total, { kind }) => total + (isLive[kind as keyof typeof isLive] ?? 0), 0);
  const isConfirmed = cursor !== null && !deposit.isOrphaned && BigInt(deposit.height) <= confirmedHeight(cursor);
  // A reorg lowers the cursor: what was booked before stays booked while its own block stands.
  const wasConfirmed = !deposit.isOrphaned && BigInt(peakHeight) > BigInt(cursor?.height ?? 0);
  const isRight = net === Number(isConfirmed) || (net === 1 && wasConfirmed);
  if (net !== Number(deposit.isPosted) || !isRight)
    throw new Violation('I3 a confirmed deposit has one live booking, any other none', { deposit, bookings, cursor });
  const due = net === 1 ? [`custody ${deposit.address}`, ownAccount(deposit)] : [];
  if (sumsOf(bookings).join() !== due.map((name) => `${name} ${deposit.amountUnits}`).join())
    throw new Violation('I3 a deposit is booked in full on its address and its own account', { deposit, bookings });
}

function ownAccount({ walletId }: DepositRow): string {
  return walletId === null ? 'unattributed' : `wallet ${walletId}`;
}

/** What some entries leave on places and with owners, as sorted texts; a loss is its wallet's. */
function sumsOf(entries: readonly EntryRow[]): string[] {
  const sums = new Map<string, bigint>();
  for (const { account, walletId, address, units } of entries.flatMap(({ postings }) => postings)) {
    const name = walletId !== null ? `wallet ${walletId}` : address !== null ? `${account} ${address}` : account;
    sums.set(name, (sums.get(name) ?? 0n) + BigInt(units));
  }
  return [...sums]
    .filter(([, units]) => units !== 0n)
    .map(([name, units]) => `${name} ${units}`)
    .sort();
}

function checkTotals({ accounts }: Books, cursor: CursorRow, mined: readonly Mined[], peakHeight: number): void {
  if (BigInt(peakHeight) > BigInt(cursor.height)) return;
  const onChain = new Map<string, bigint>();
  for (const { transfer } of mined.filter(({ block }) => block.height <= confirmedHeight(cursor)))
    onChain.set(transfer.to, (onChain.get(transfer.to) ?? 0n) + transfer.amountUnits);
  for (const { address, postings } of accounts.filter(({ kind }) => kind === 'custody')) {
    if (BigInt(postings) !== (onChain.get(address ?? '') ?? 0n))
      throw new Violation('I4 the ledger says what lies on an address of the chain', { address, postings });
    onChain.delete(address ?? '');
  }
  if (onChain.size > 0) throw new Violation('I4 every address with money is in the ledger', [...onChain.keys()]);
}
