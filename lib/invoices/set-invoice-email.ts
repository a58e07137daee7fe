import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { getPublicInvoice } from './get-invoice';
import { updateEmail } from './repository';

/**
 * Stores the customer's email, once, while the invoice is pending.
 * @throws AppError not_found, invoice_not_payable, email_already_set
 */
export async function setInvoiceEmail(
  db: Database,
  uuid: string,
  email: string,
  clock: Clock,
): Promise<PublicInvoiceView> {
  const stored = await updateEmail(db.pool, uuid, email);
  const invoice = await getPublicInvoice(db, uuid, clock);
  if (stored) return invoice;
  throw new AppError(invoice.status === 'pending' ? 'email_already_set' : 'invoice_not_payable');
}
