import { z } from 'zod';

/** A QUANTITY of the execution API: at most 256 bits in hex. Leading zeros, which some nodes send, are let through. */
const Quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((hex) => BigInt(hex));

const Hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((hex) => hex.toLowerCase());

const Address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((hex) => hex.toLowerCase());

const Timestamp = Quantity.refine((seconds) => seconds < 8_640_000_000_000n).transform(
  (seconds) => new Date(Number(seconds) * 1000),
);

export const ChainIdSchema = Quantity;

/** Wei. */
export const BalanceSchema = Quantity;

/** How many transactions an account has sent (its nonce), or a block holds. */
export const TransactionCountSchema = Quantity;

/** What we read of a block's header; execution-apis, src/schemas/block.yaml. */
export const HeaderSchema = z.object({ number: Quantity, hash: Hash, parentHash: Hash, timestamp: Timestamp });
export type EvmHeader = z.infer<typeof HeaderSchema>;

/** What we read of a transaction inside its block; `to` is null when it creates a contract. */
const TransactionSchema = z.object({
  hash: Hash,
  blockHash: Hash,
  from: Address,
  to: Address.nullish(),
  value: Quantity,
  gas: Quantity,
  transactionIndex: Quantity,
});
export type EvmTransaction = z.infer<typeof TransactionSchema>;

export const BlockSchema = HeaderSchema.extend({
  gasUsed: Quantity,
  transactionsRoot: Hash,
  transactions: z.array(TransactionSchema),
});
export type EvmBlock = z.infer<typeof BlockSchema>;

/** What we read of a receipt; execution-apis, src/schemas/receipt.yaml. */
export const ReceiptSchema = z.object({
  transactionHash: Hash,
  blockHash: Hash,
  status: z.enum(['0x0', '0x1']),
  gasUsed: Quantity.optional(),
  effectiveGasPrice: Quantity.optional(),
});
export type EvmReceipt = z.infer<typeof ReceiptSchema>;
