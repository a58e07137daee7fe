import { setTimeout as sleep } from 'node:timers/promises';
import { saveChain } from './chain-state';

/** A dump grows with the chain (about 65 ms after 4,000 blocks): it may take this share of the node's time. */
const SAVE_SHARE = 1 / 30;
const SAVE_EVERY_MS = 2_000;

/**
 * Saves the chain again and again; stopping it saves once more.
 *
 * @param url the node's address
 * @param folder the devnet's folder
 * @param log receives a line when a save fails
 */
export function keepSaving(url: string, folder: string, log: (line: string) => void): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const save = async () => {
    const begun = performance.now();
    await saveChain(url, folder).catch((error: Error) => log(`the chain was not saved: ${error.message}`));
    return Math.max(SAVE_EVERY_MS, (performance.now() - begun) / SAVE_SHARE);
  };
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const pause = await save();
      await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
    await save();
  })();
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}
