import type { Metadata } from 'next';
import { CreateInvoiceScreen } from '@/components/invoices/create-invoice-screen';

export const metadata: Metadata = { title: 'Nuova Fattura' };

export default function CreateInvoicePage() {
  return <CreateInvoiceScreen />;
}
