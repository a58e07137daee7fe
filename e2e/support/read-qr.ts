import type { Locator } from '@playwright/test';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';

/**
 * Reads a QR code from the pixels that a camera would see, with the tile around it.
 *
 * @param code the code's own element
 * @returns what it says, or null when it cannot be read
 */
export async function readQr(code: Locator): Promise<string | null> {
  const { data, width, height } = PNG.sync.read(await code.locator('..').screenshot());
  return jsQR(Uint8ClampedArray.from(data), width, height)?.data ?? null;
}
