import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** WCAG 2.0 to 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe objects to on a page, one line per element. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Legacy mode leaves out frames of other origins, which our pages have none of, and is twice as fast.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).withTags(TAGS).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
