import type { ReactNode } from 'react';

/** A breathing dot and what the page waits for. */
export function Awaiting({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-2 text-sm text-ink-2">
      <span aria-hidden="true" className="size-2 animate-breathe rounded-full bg-info" />
      {children}
    </span>
  );
}
