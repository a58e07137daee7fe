import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { type Instance, readInstance } from '@/starter/instance';
import { startWebhookInbox, type WebhookInbox } from '@/testing/webhook-inbox';
import { dataDirOf } from './data-dir-of';
import { Merchant } from './merchant';
import { PageGuard } from './page-guard';

export interface OpenPage extends BrowserContextOptions {
  /** Whose token the browser holds; nobody's when left out. */
  as?: Merchant;
}

interface TestFixtures {
  /** A merchant who exists for this test alone. */
  merchant: Merchant;
  /** A receiver of webhooks for this test alone. */
  inbox: WebhookInbox;
  /** Sees what the test's pages must not do; checked when the test ends. */
  guard: PageGuard;
  /** Opens a fresh browser profile with one page, watched by the guard. */
  openPage: (options?: OpenPage) => Promise<Page>;
}

/** Playwright's test with the instance and what tests of the product need. */
export const test = base.extend<TestFixtures, { instance: Instance }>({
  instance: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from a pattern
    async ({}, use, { config }) => use(readInstance(dataDirOf(config))),
    { scope: 'worker' },
  ],
  merchant: async ({ instance }, use) => use(await Merchant.register(instance.url)),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  inbox: async ({}, use) => {
    const inbox = await startWebhookInbox();
    await use(inbox);
    await inbox.close();
  },
  guard: async ({ instance }, use) => {
    const guard = new PageGuard(instance.publicUrl);
    await use(guard);
    expect(guard.problems(), 'console, policy and network of the pages').toEqual([]);
  },
  openPage: async ({ browser, instance, guard }, use) => {
    const open = async ({ as, ...options }: OpenPage = {}) => {
      const localStorage = as ? [{ name: 'token', value: as.token }] : [];
      const context = await browser.newContext({
        baseURL: instance.publicUrl,
        storageState: { cookies: [], origins: [{ origin: instance.publicUrl, localStorage }] },
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      });
      await guard.watch(context);
      return context.newPage();
    };
    await use(open);
    for (const context of browser.contexts()) await context.close();
  },
});
