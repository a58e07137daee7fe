import type { ReactNode } from 'react';

interface FactStripProps {
  /** Four facts; two by two where it is narrow. */
  items: ReadonlyArray<{ term: string; value: ReactNode; detail?: ReactNode }>;
}

/** One panel of four figures, ruled like a ledger. */
export function FactStrip({ items }: FactStripProps) {
  return (
    <div className="@container rounded-lg border border-line bg-surface">
      <dl className="grid grid-cols-2 @2xl:grid-cols-4">
        {items.map((item) => (
          <div
            key={item.term}
            className="min-w-0 border-line px-4 pt-3.5 pb-4 even:border-l nth-[n+3]:border-t @2xl:border-l @2xl:px-5 @2xl:pt-4 @2xl:pb-4.5 @2xl:first:border-l-0 @2xl:nth-[n+3]:border-t-0"
          >
            <dt className="text-sm text-ink-2">{item.term}</dt>
            <dd className="mt-0.5 flex flex-wrap items-baseline gap-x-1.5 text-md font-semibold @2xl:text-lg">
              {item.value}
              {item.detail && <span className="text-sm font-medium tracking-normal text-ink-3">{item.detail}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
