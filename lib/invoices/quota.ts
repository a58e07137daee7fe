import { env } from '@/lib/config/env';
import { AppError } from '@/lib/shared/errors';
import type { InvoiceQuota, QuotaRefusal } from './creation-repository';

/** What the operator lets every merchant have. */
export function invoiceQuota(): InvoiceQuota {
  const { MAX_INVOICES_PER_MINUTE, MAX_OPEN_INVOICES } = env();
  return { mostAMinute: MAX_INVOICES_PER_MINUTE, mostOpen: MAX_OPEN_INVOICES };
}

const CODES = { minute: 'invoice_rate_exceeded', open: 'open_invoices_exceeded' } as const;
const TO_PAYER = 'Il negozio riceve molti pagamenti in questo momento: riprova tra un minuto.';

/**
 * The refusal of a quota for whom it meets: the merchant reads what to do, a payer that it is not up to them.
 * @returns `invoice_rate_exceeded` or `open_invoices_exceeded`, with the seconds after which to try again
 */
export function quotaError({ refusal, retryAfterSeconds }: QuotaRefusal, reader: 'merchant' | 'payer'): AppError {
  return new AppError(CODES[refusal], { retryAfterSeconds, ...(reader === 'payer' && { message: TO_PAYER }) });
}
