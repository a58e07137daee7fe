import type { Metadata } from 'next';
import { InvoicesScreen } from '@/components/invoices/invoices-screen';

export const metadata: Metadata = { title: 'Fatture' };

export default function InvoicesPage() {
  return <InvoicesScreen />;
}
