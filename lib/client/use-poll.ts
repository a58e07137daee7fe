import { useEffect, useRef } from 'react';

/**
 * Runs `task` every `intervalMs` while `enabled`, the next run counted from the end of the last. A hidden page rests
 * and runs once as soon as it is seen again. The task handles its own errors.
 */
export function usePoll(task: () => Promise<void>, intervalMs: number, enabled: boolean): void {
  const latest = useRef(task);
  useEffect(() => {
    latest.current = task;
  });

  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    let missed = false;

    const schedule = () => {
      clearTimeout(timer);
      timer = setTimeout(run, intervalMs);
    };
    const run = async () => {
      missed = document.hidden;
      if (missed) return;
      try {
        await latest.current();
      } finally {
        if (!stopped) schedule();
      }
    };
    const onVisible = () => {
      if (!document.hidden && missed) void run();
    };

    schedule();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [intervalMs, enabled]);
}
