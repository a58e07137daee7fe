import { classNames } from './class-names';

/** A grey box in the place of something that loads; give it the size of the real thing. Appears after 200 ms. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classNames('skeleton block rounded-[4px] bg-line', className)} />;
}

interface SkeletonRowsProps {
  /** How many rows the list will probably have. */
  rows: number;
  /** Round box in front, where the real rows have a coin. */
  avatar?: boolean;
}

/** The rows of a list while it loads, in the boxes of the real ones. */
export function SkeletonRows({ rows, avatar = false }: SkeletonRowsProps) {
  return (
    <div role="status">
      <span className="sr-only">Caricamento...</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <div key={row} className="flex min-h-15 items-center gap-3 border-t border-line px-4 py-2 md:px-5">
          {avatar && <Skeleton className="size-9 rounded-full" />}
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-3 w-1/2" />
            <Skeleton className="h-3 w-[30%]" />
          </div>
          <div className="grid w-24 justify-items-end gap-2">
            <Skeleton className="h-3 w-full" />
            <Skeleton className="h-3 w-3/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
