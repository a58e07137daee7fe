import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect } from '@playwright/test';
import getPort from 'get-port';
import { type Instance, readInstance } from '@/starter/instance';
import { Merchant } from '../support/merchant';
import { pay } from '../support/pay';
import { type StopInstance, startInstance } from '../support/start-instance';
import { test } from '../support/test';

/** The ways in which an instance ends: Ctrl-C, a kill, and a service manager's stop. */
const ENDS = ['SIGINT', 'SIGKILL', 'SIGTERM'] as const;

test('invoices stay open over restarts of the whole instance, also after a kill, and the last one is paid', async ({
  instance: shared,
}) => {
  test.setTimeout(300_000);
  const root = path.resolve(import.meta.dirname, '..', '..');
  const dataDir = `${shared.dataDir}-restarts-${randomUUID().slice(0, 8)}`;
  const port = await getPort({ host: '127.0.0.1' });
  let stop: StopInstance = await startInstance({ root, dataDir, port });
  try {
    let instance: Instance = readInstance(dataDir);
    const merchant = await Merchant.register(instance.url);
    const invoices = [];
    for (const signal of ENDS) {
      invoices.push(await merchant.createInvoice());
      await stop({ keepData: true, signal });
      stop = await startInstance({ root, dataDir, port });
      instance = readInstance(dataDir);
      for (const { uuid } of invoices) expect((await merchant.invoice(uuid)).status, `after ${signal}`).toBe('pending');
    }
    const uuid = invoices.at(-1)?.uuid ?? '';
    await pay(instance, uuid);
    await expect.poll(async () => (await merchant.invoice(uuid)).status).toBe('paid');
    for (const { uuid: open } of invoices.slice(0, -1)) expect((await merchant.invoice(open)).status).toBe('pending');
  } finally {
    await stop();
  }
});
