import { classNames } from './class-names';

/** A grey box in the place of something that loads; give it the size of the real thing. Appears after 200 ms. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classNames('skeleton block rounded-[4px] bg-line', className)} />;
}
