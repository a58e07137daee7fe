import { expect } from '@playwright/test';
import { runScript } from '../support/run-script';
import { test } from '../support/test';

test('after everything that the other tests paid, lost and forced, ledger and chain agree to the last unit', async ({
  instance,
}) => {
  expect(await runScript(instance, 'reconcile')).toContain('ETH: everything agrees');
});
