import { type ReactNode, useId } from 'react';
import { classNames } from './class-names';

interface PanelProps {
  /** Title of the head (an `h2`); without it the panel has no head. */
  title?: ReactNode;
  /** One link or ghost button at the right of the head. */
  action?: ReactNode;
  /** Padding around the children; leave out for tables and row lists that reach the edge. */
  padded?: boolean;
  className?: string;
  children?: ReactNode;
}

/** A surface with a hairline. Never inside another panel: use hairlines there. */
export function Panel({ title, action, padded = false, className, children }: PanelProps) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={title ? titleId : undefined}
      className={classNames('min-w-0 rounded-lg border border-line bg-surface', className)}
    >
      {title && (
        <div className="flex min-h-13 items-center justify-between gap-4 px-4 py-3 md:px-5">
          <h2 id={titleId} className="text-[0.9375rem]/5">
            {title}
          </h2>
          {action}
        </div>
      )}
      {padded ? (
        <div className={classNames('px-4 pb-4 md:px-5 md:pb-5', !title && 'pt-4 md:pt-5')}>{children}</div>
      ) : (
        children
      )}
    </section>
  );
}
