'use server';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import type { StepState } from '@/components/payment/step';
import { CoinSchema } from '@/lib/api-schema/common';
import { SetEmailBody } from '@/lib/api-schema/invoices';
import { env } from '@/lib/config/env';
import { knowTime, webClock, webDatabase } from '@/lib/db/web-database';
import { clientAddress } from '@/lib/http/client-address';
import { DOORS, doorUses } from '@/lib/http/doors';
import { toAppError } from '@/lib/http/problem';
import { consumeLimits } from '@/lib/http/rate-limit';
import { webLogger } from '@/lib/http/request-log';
import { chooseCoin } from '@/lib/invoices/choose-coin';
import { setInvoiceEmail } from '@/lib/invoices/set-invoice-email';
import { AppError } from '@/lib/shared/errors';
import { MESSAGES } from '@/lib/shared/messages';

const EMAIL_FAILURE = "Impossibile aggiornare l'email. Riprova.";
const EmailForm = z.object({ uuid: z.uuid(), email: z.string() });

/** Form of step 1. Ends at the page itself, which then shows the next step. */
export async function setEmailAction(_previous: StepState, form: FormData): Promise<StepState> {
  const sent = EmailForm.safeParse(Object.fromEntries(form));
  if (!sent.success) return stepFailed(new AppError('invalid_request'), EMAIL_FAILURE, '');
  const { uuid, email } = sent.data;
  const body = SetEmailBody.safeParse({ email });
  if (!body.success) return { fieldError: MESSAGES.validation.publicEmail, failure: null, value: email };
  try {
    await limitPayStep(uuid);
    await setInvoiceEmail(webDatabase(), uuid, body.data.email, webClock);
  } catch (error) {
    // Pressed twice, or in another tab: the page has moved on, so the customer does too.
    const movedOn = error instanceof AppError && error.code === 'email_already_set';
    if (!movedOn) return stepFailed(error, EMAIL_FAILURE, email);
  }
  redirect(`/pay/${uuid}`);
}

const COIN_FAILURE = 'Impossibile selezionare la criptovaluta. Riprova.';
const CoinForm = z.object({ uuid: z.uuid(), cryptoType: CoinSchema });

/** Form of step 2. Ends at the page itself, which then shows the payment. */
export async function chooseCoinAction(_previous: StepState, form: FormData): Promise<StepState> {
  const sent = CoinForm.safeParse(Object.fromEntries(form));
  if (!sent.success) return stepFailed(new AppError('invalid_request'), COIN_FAILURE, '');
  const { uuid, cryptoType } = sent.data;
  try {
    await limitPayStep(uuid);
    await chooseCoin(webDatabase(), uuid, cryptoType, webClock);
  } catch (error) {
    return stepFailed(error, COIN_FAILURE, cryptoType);
  }
  redirect(`/pay/${uuid}`);
}

/** Counts a form against the limits of the API's same doors. @throws AppError too_many_requests */
async function limitPayStep(uuid: string): Promise<void> {
  const address = clientAddress(await headers(), env().TRUSTED_PROXIES);
  const uses = doorUses(DOORS.payStep, address, { id: uuid });
  await knowTime();
  await consumeLimits({ db: webDatabase() }, uses, new Headers());
}

/** Answer of a form whose use case refused (its own message) or broke (logged, a plain message). */
function stepFailed(error: unknown, title: string, value: string): StepState {
  if (error instanceof AppError) return { fieldError: null, failure: { title, message: error.message }, value };
  webLogger().error({ err: error }, 'pay page: step failed');
  return { fieldError: null, failure: { title, message: toAppError(error).message }, value };
}
