import { expect, type Page } from '@playwright/test';
import { findBarriers } from '../support/find-barriers';
import { SCREENS } from '../support/screens';
import { test } from '../support/test';

const HEIGHT = 800;
const APPEARANCES = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 360, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
] as const;

/** How much wider the page is than its window; below 0 while a dialog keeps the room of the scrollbar. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const screen of SCREENS) {
  test(`${screen.name}: no barrier in light and dark, on desk and phone; no sideways scroll; one h1; a silent console`, async ({
    openPage,
    merchant,
    instance,
    guard,
  }) => {
    guard.expect(/status of 404/);
    const path = await screen.path(merchant, instance);
    const page = await openPage({ reducedMotion: 'reduce', ...(screen.signedIn && { as: merchant }) });
    await page.goto(path);
    await screen.settle(page);
    await expect(page).toHaveTitle(/Incassa/);
    await expect(page.locator('html')).toHaveAttribute('lang', 'it');
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    for (const { width, colorScheme } of APPEARANCES) {
      await test.step(`${width} px, ${colorScheme}`, async () => {
        await page.setViewportSize({ width, height: HEIGHT });
        await page.emulateMedia({ colorScheme });
        // Colours that are on their way to the other theme would be measured half-way.
        await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
        expect.soft(await findBarriers(page)).toEqual([]);
        expect.soft(await overflow(page), 'sideways scroll').toBeLessThanOrEqual(0);
      });
    }
    await page.setViewportSize({ width: 320, height: HEIGHT });
    await expect.poll(() => overflow(page), 'sideways scroll at 320 px').toBeLessThanOrEqual(0);
  });
}
