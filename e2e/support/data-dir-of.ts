import type { FullConfig } from '@playwright/test';
import { z } from 'zod';

/** Data folder of the instance under test, as playwright.config.ts chose it. */
export function dataDirOf(config: Pick<FullConfig, 'metadata'>): string {
  return z.object({ dataDir: z.string() }).parse(config.metadata).dataDir;
}
