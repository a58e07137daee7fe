import type { InvoiceStatus } from '@/lib/shared/invoice-status';
import type { Outage } from './books';

/** An invoice as the run remembers it. */
export interface KnownInvoice {
  /** Whose it is, by the merchant's place in the world. */
  merchant: 0 | 1;
  id: number;
  uuid: string;
  expiresAt: Date;
  /** Null until a coin is chosen. */
  priced: { address: string; dueUnits: bigint } | null;
}

/** What a run remembers without asking the product: the model that the product is held against. */
export interface Memory {
  /** Steps that happened: those that were not possible are left out. */
  steps: number;
  invoices: KnownInvoice[];
  /** Uuids that the owner forced: they stay so for ever. */
  forced: Set<string>;
  /** Uuids whose late money the owner accepted. */
  accepted: Set<string>;
  /** Uuids whose late money the owner dealt with otherwise: the policy no longer decides. */
  refused: Set<string>;
  /** Wallet that an operator gave a deposit to, by the deposit's id. */
  attached: Map<string, number>;
  /** Events of an invoice before its customer gave an email: later payments send a receipt. */
  eventsBeforeEmail: Map<string, number>;
  /** When nobody read the chain. */
  outages: Outage[];
  /** Status of an invoice at the moment when its chain was replaced, by its uuid. */
  atReplacement: Map<string, InvoiceStatus>;
  /** What happened that no status tells of. */
  happened: Set<string>;
}

export function newMemory(): Memory {
  return {
    steps: 0,
    invoices: [],
    forced: new Set(),
    accepted: new Set(),
    refused: new Set(),
    attached: new Map(),
    eventsBeforeEmail: new Map(),
    outages: [],
    atReplacement: new Map(),
    happened: new Set(),
  };
}

/** The invoice that a command means: any number does. Undefined while there is none. */
export function pick<T>(things: readonly T[], index: number): T | undefined {
  return things[index % Math.max(1, things.length)];
}
