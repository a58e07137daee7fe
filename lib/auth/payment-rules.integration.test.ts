import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PaymentRules } from '@/lib/api-schema/payment-rules';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { getPaymentRules, setPaymentRules } from './payment-rules';

describe('payment rules', () => {
  let test: TestDatabase;
  let web: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    web = openDatabase(test.roleUrl('web'), { max: 2, applicationName: 'web' });
  });
  afterAll(async () => {
    await closeDatabase(web);
    await test.drop();
  });

  it('begin strict and keep what the merchant sets, to the hundredth of a percent', async () => {
    const { id } = await makeUser(test.db.pool);
    expect(await getPaymentRules(web, id)).toEqual({ tolerancePercent: 0, latePolicy: 'review' });
    const rules = { tolerancePercent: 0.29, latePolicy: 'accept' } as const;
    expect(await setPaymentRules(web, id, rules)).toEqual(rules);
    expect(await getPaymentRules(web, id)).toEqual(rules);
  });

  it.each([-1, 10.01, 0.001, Number.NaN, 1e21])('refuse a tolerance of %d percent', (tolerancePercent) => {
    expect(PaymentRules.safeParse({ tolerancePercent, latePolicy: 'review' }).success).toBe(false);
  });
});
