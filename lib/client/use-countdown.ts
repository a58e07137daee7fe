import { useEffect, useState } from 'react';

const TICK_MS = 1_000;

/**
 * Whole seconds left until `expiresAt` (ISO), counted each second. `serverTime` is the server's time of the answer that
 * brought it, so that a wrong clock on the customer's device does not matter.
 * @returns 0 once it is over; null before the first tick in the browser, and while there is nothing to count.
 */
export function useCountdown(expiresAt: string | null, serverTime: string | null): number | null {
  const [left, setLeft] = useState<number | null>(null);

  useEffect(() => {
    if (expiresAt === null) return setLeft(null);
    const offset = serverTime === null ? 0 : Date.parse(serverTime) - Date.now();
    const end = Date.parse(expiresAt) - offset;
    const tick = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / TICK_MS)));
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [expiresAt, serverTime]);
  return left;
}
