import { startWebhookInbox } from '@/testing/webhook-inbox';
import { residentMb } from '../resident-mb';
import type { Scenario, ScenarioResult } from '../scenario';
import { startBenchInstance } from '../start-bench-instance';
import { payAndSeeBlock } from './pay-and-see-block';
import { Shop } from './shop';

const PAYMENTS = 30;
const TARGET_MS = 1000;

/**
 * From the moment a block with the payment can be read from the node to the moment the webhook is received, on a running
 * instance that asks for one confirmation.
 */
export const paymentLatency: Scenario = {
  name: 'payment-latency',
  async run(tell) {
    tell('starting an instance…');
    const { instance, stop } = await startBenchInstance();
    const inbox = await startWebhookInbox();
    try {
      const shop = await Shop.open(instance.url, inbox.url());
      const latencies: number[] = [];
      for (let n = 1; n <= PAYMENTS; n++) {
        const invoice = await shop.createInvoice();
        const readableAt = await payAndSeeBlock(instance, invoice.address, invoice.amount);
        latencies.push((await shop.paidWebhookAt(inbox, invoice.uuid)) - readableAt);
      }
      return [toResult(latencies, residentMb(instance.processes.watcher ?? 0))];
    } finally {
      await inbox.close();
      await stop();
    }
  },
};

function toResult(latencies: number[], memoryMb: number | null): ScenarioResult {
  const p95 = Math.round(percentile(latencies, 0.95));
  return {
    name: 'payment-latency',
    figure: p95,
    unit: 'ms (p95)',
    bound: null,
    ratio: Number((p95 / TARGET_MS).toFixed(2)),
    target: `< ${TARGET_MS} ms from block readable to webhook received`,
    met: p95 < TARGET_MS,
    memoryMb,
    notes: [
      `p50 ${Math.round(percentile(latencies, 0.5))} ms, largest ${Math.round(Math.max(...latencies))} ms, ${latencies.length} payments`,
    ],
  };
}

/** The value below which a share of the samples lies (nearest rank). @throws RangeError without samples */
function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('No samples.');
  return value;
}
