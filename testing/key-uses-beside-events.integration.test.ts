import { expect, test } from 'vitest';
import { addKeyUses } from '@/lib/api-keys/repository';
import { closeDatabase, openDatabase } from '@/lib/db/database';
import { settleInvoice } from '@/lib/invoices/settle-invoice';
import { systemClock } from '@/lib/shared/time';
import { makeApiKey, makeCursor, makeDeposit, makeInvoice, makeRate, makeUser } from './factories';
import { createTestDatabase } from './test-database';

test('uses that three processes add at once, beside events that are being stored, meet no deadlock', async () => {
  const database = await createTestDatabase();
  const sql = database.db.pool;
  const web = openDatabase(database.roleUrl('web'), { max: 3, applicationName: 'uses' });
  const watcher = openDatabase(database.roleUrl('watcher'), { max: 4, applicationName: 'settling' });
  try {
    await makeCursor(sql);
    await makeRate(sql);
    const { id: userId } = await makeUser(sql);
    const ids: number[] = [];
    // Deliveries are stored in the order of their addresses: the opposite of the ids.
    for (let n = 0; n < 60; n += 1)
      ids.push((await makeApiKey(sql, { userId, webhookUrl: `https://h${99 - n}.example/` })).id);
    let isOver = false;
    let rounds = 0;
    const flushers = Array.from({ length: 3 }, async () => {
      for (; !isOver; rounds += 1)
        await addKeyUses.count(web.pool, { ids, counts: ids.map(() => 1), lastUsedAts: ids.map(() => new Date()) });
    });
    const settling = (async () => {
      for (let n = 0; n < 15; n += 1) {
        const invoices = [];
        for (let m = 0; m < 4; m += 1) invoices.push(await makeInvoice(sql, { userId }));
        for (const invoice of invoices) await makeDeposit(sql, { invoice });
        await Promise.all(invoices.map(({ id }) => settleInvoice(watcher, id, systemClock)));
      }
    })().finally(() => {
      isOver = true;
    });
    await Promise.all([...flushers, settling]);
    const { rows } = await sql.query('SELECT DISTINCT usage_count FROM api_key');
    expect(rows).toEqual([{ usage_count: rounds }]);
  } finally {
    await Promise.all([web, watcher].map(closeDatabase));
    await database.drop();
  }
}, 60_000);
