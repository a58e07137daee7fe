import type { ReactNode } from 'react';
import { classNames } from './class-names';

interface DefinitionListProps {
  items: ReadonlyArray<{ term: string; value: ReactNode }>;
  size?: 'sm' | 'base';
  className?: string;
}

/** Terms left, values right, hairlines between. */
export function DefinitionList({ items, size = 'base', className }: DefinitionListProps) {
  return (
    <dl className={classNames(size === 'sm' ? 'text-sm' : 'text-base', className)}>
      {items.map((item) => (
        <div
          key={item.term}
          className="flex items-baseline justify-between gap-4 border-t border-line py-2.25 first:border-t-0"
        >
          <dt className="text-ink-2">{item.term}</dt>
          <dd className="min-w-0 text-right font-medium">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
