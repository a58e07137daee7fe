import type { ReactNode } from 'react';

interface SlipProps {
  /** Top of the stub: shop and amount. */
  head: ReactNode;
  /** Rest of the stub: details, how to pay. */
  info?: ReactNode;
  /** The payment itself, right of the tear line (below it on phones). */
  children: ReactNode;
}

/** The torn payment form. Only where money changes hands; never for ordinary panels. */
export function Slip({ head, info, children }: SlipProps) {
  return (
    <div className="slip">
      <div className="slip__head">{head}</div>
      <div className="slip__body">
        <span className="slip__notch slip__notch--a" />
        <span className="slip__notch slip__notch--b" />
        {children}
      </div>
      {info && <div className="slip__info">{info}</div>}
    </div>
  );
}
