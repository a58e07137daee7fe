import type { ReactNode } from 'react';
import { classNames } from './class-names';

interface CouponProps {
  head: ReactNode;
  /** Below the tear line. */
  children: ReactNode;
  /** No outline, for a coloured ground; set `--notch` there to the ground's colour. */
  bare?: boolean;
  className?: string;
}

/** The narrow slip: preview of an invoice, sign-in picture. */
export function Coupon({ head, children, bare = false, className }: CouponProps) {
  return (
    <div className={classNames('coupon', bare && 'coupon--bare', className)}>
      <div className="coupon__head">{head}</div>
      <div className="coupon__stub">
        <span className="coupon__notch coupon__notch--a" />
        <span className="coupon__notch coupon__notch--b" />
        {children}
      </div>
    </div>
  );
}
