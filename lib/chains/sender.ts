import type { Coin } from '@/lib/shared/coins';

/** Money to send, and the most that may be paid for it. Amounts are base units. */
interface SendOrder {
  coin: Coin;
  /** Canonical address that sends, and where its key stands below the seed. */
  from: { address: string; accountPath: string; index: number };
  to: string;
  /** `max`: all there is, less the fee. */
  amountUnits: bigint | 'max';
  /** On TON a comment, on TRON the transaction's data; null where the chain has none. */
  memo: string | null;
  maxFeeUnits: bigint;
}

/** What a send would cost now. */
interface FeeEstimate {
  feeUnits: bigint;
  /** In which coin the fee is paid: the chain's own, also for a token. */
  feeCoin: Coin;
  /** What arrives when `amountUnits` is `max`. */
  amountUnits: bigint;
}

/**
 * A transaction that is signed and not sent yet. Its bytes are stored before they are broadcast, and broadcast again after a
 * crash.
 */
interface SignedTransaction {
  txHash: string;
  bytes: Uint8Array;
  amountUnits: bigint;
  /** At most. */
  feeUnits: bigint;
  /**
   * What it takes from the chain's state; of two transactions with a claim in common one at most is ever mined, so that no
   * two living ones may share any. `nonce:<address>:<n>` on EVM, one `output:<txid>:<n>` for each input on Litecoin,
   * `seqno:<address>:<n>` on TON; none on TRON, whose transactions end by themselves.
   */
  claims: readonly string[];
  /** Chain time after which it can no longer be mined (TRON's expiration, TON's valid_until); null while it can for ever. */
  expiresAt: Date | null;
}

/** `dead`: it can never be mined any more, because a claim of it was used otherwise or its time is over. */
type TransactionStatus =
  | { state: 'unknown' | 'pending' | 'dead' }
  | { state: 'mined'; height: bigint; blockHash: string; succeeded: boolean; feeUnits: bigint };

/** How money is sent on a chain; loaded by the signer alone. Each call throws ChainError on a fault of the node. */
export interface ChainSender {
  estimate(order: SendOrder): Promise<FeeEstimate>;
  /**
   * Builds and signs.
   * @param taken claims of transactions that still live: nonces, outputs and seqnos that must not be used again
   * @param privateKey of `order.from`; overwritten by the caller afterwards
   */
  sign(order: SendOrder, taken: ReadonlySet<string>, privateKey: Uint8Array): Promise<SignedTransaction>;
  /** Sending the same bytes again does no harm. */
  broadcast(transaction: SignedTransaction): Promise<void>;
  status(transaction: SignedTransaction): Promise<TransactionStatus>;
}
