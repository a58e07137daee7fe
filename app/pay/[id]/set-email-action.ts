'use server';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import type { StepState } from '@/components/payment/step-action';
import { SetEmailBody } from '@/lib/api-schema/invoices';
import { webDatabase } from '@/lib/db/web-database';
import { limitPayStep } from '@/lib/http/limit-pay-step';
import { setInvoiceEmail } from '@/lib/invoices/set-invoice-email';
import { AppError } from '@/lib/shared/errors';
import { MESSAGES } from '@/lib/shared/messages';
import { systemClock } from '@/lib/shared/time';
import { stepFailed } from './step-failed';

const TITLE = "Impossibile aggiornare l'email. Riprova.";
const Form = z.object({ uuid: z.uuid(), email: z.string() });

/** Form of step 1. Ends at the page itself, which then shows the next step. */
export async function setEmailAction(_previous: StepState, form: FormData): Promise<StepState> {
  const sent = Form.safeParse(Object.fromEntries(form));
  if (!sent.success) return stepFailed(new AppError('invalid_request'), TITLE, '');
  const { uuid, email } = sent.data;
  const body = SetEmailBody.safeParse({ email });
  if (!body.success) return { fieldError: MESSAGES.validation.publicEmail, failure: null, value: email };
  try {
    await limitPayStep();
    await setInvoiceEmail(webDatabase(), uuid, body.data.email, systemClock);
  } catch (error) {
    // Pressed twice, or in another tab: the page has moved on, so the customer does too.
    const movedOn = error instanceof AppError && error.code === 'email_already_set';
    if (!movedOn) return stepFailed(error, TITLE, email);
  }
  redirect(`/pay/${uuid}`);
}
