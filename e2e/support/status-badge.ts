import type { Locator, Page } from '@playwright/test';

/** The status beside an invoice's title; the history below repeats it. */
export function statusBadge(page: Page, text: string): Locator {
  return page.getByRole('main').getByText(text, { exact: true }).first();
}
