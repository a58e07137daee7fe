import type { Metadata } from 'next';
import { InvoiceScreen } from '@/components/invoices/invoice-screen';

export const metadata: Metadata = { title: 'Dettagli Fattura' };

export default async function InvoicePage({ params }: { params: Promise<{ id: string }> }) {
  return <InvoiceScreen id={(await params).id} />;
}
