import type { ReactNode } from 'react';
import { PayFrame } from '@/components/payment/pay-frame';

export default function PayLayout({ children }: { children: ReactNode }) {
  return <PayFrame>{children}</PayFrame>;
}
