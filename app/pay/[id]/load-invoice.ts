import { UuidParam } from '@/lib/api-schema/common';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { webDatabase } from '@/lib/db/web-database';
import { webLogger } from '@/lib/http/web-logger';
import { getPublicInvoice } from '@/lib/invoices/get-public-invoice';
import { AppError } from '@/lib/shared/errors';
import { systemClock } from '@/lib/shared/time';

/** The public view of an invoice; `missing` for an id that nobody knows, `failed` (logged) when it could not be read. */
export async function loadInvoice(id: string): Promise<PublicInvoiceView | 'missing' | 'failed'> {
  if (!UuidParam.safeParse({ id }).success) return 'missing';
  try {
    return await getPublicInvoice(webDatabase(), id, systemClock);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return 'missing';
    webLogger().error({ err: error }, 'pay page: invoice not loaded');
    return 'failed';
  }
}
