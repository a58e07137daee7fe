import { apiCreation } from './api-creation/scenario';
import { growth } from './growth/scenario';
import { ledgerGrowth } from './ledger-growth';
import { paymentLatency } from './payment-latency/scenario';
import { reconcileScale } from './reconcile-scale';
import type { Scenario } from './scenario';
import { settlementRate } from './settlement-rate/scenario';
import { startup } from './startup/scenario';

/** What `npm run bench` measures, in this order. */
export const SCENARIOS: readonly Scenario[] = [
  apiCreation,
  paymentLatency,
  startup,
  settlementRate,
  ledgerGrowth,
  growth,
  reconcileScale,
];
