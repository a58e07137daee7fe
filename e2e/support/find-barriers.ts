import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** WCAG 2.0 to 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Base UI's focus guards: empty, hidden elements around an open menu that hand the focus on the moment they get it.
 * Axe, which does not press keys, takes them for hidden places where the focus could be lost; that it cannot be is
 * tested with the keyboard (ui/busy-and-menus.spec.ts).
 */
const FOCUS_GUARD = '[data-base-ui-focus-guard]:empty';

/** What axe objects to on a page, one line per element. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Legacy mode leaves out frames of other origins, which our pages have none of, and is twice as fast.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).withTags(TAGS).exclude(FOCUS_GUARD);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
