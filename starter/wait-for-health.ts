import { setTimeout as sleep } from 'node:timers/promises';

const TELL_EVERY_MS = 20_000;

/**
 * Waits until `/api/health` answers 200: at least one coin can be paid.
 *
 * @param url base URL of the product
 * @param signal ends the waiting
 * @param tell receives a line with the last answer whenever it takes long
 * @returns the answer's text, or undefined when the signal came first
 */
export async function waitForHealth(
  url: string,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<string | undefined> {
  let last = 'no answer';
  for (let toldAt = Date.now(); !signal.aborted; ) {
    try {
      const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(3_000) });
      last = `${response.status} ${(await response.text()).slice(0, 600)}`;
      if (response.status === 200) return last;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    if (Date.now() - toldAt > TELL_EVERY_MS) {
      tell(`still waiting for ${url}/api/health: ${last}`);
      toldAt = Date.now();
    }
    await sleep(150, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}
