'use server';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import type { StepState } from '@/components/payment/step-action';
import { CoinSchema } from '@/lib/api-schema/common';
import { webDatabase } from '@/lib/db/web-database';
import { limitPayStep } from '@/lib/http/limit-pay-step';
import { chooseCoin } from '@/lib/invoices/choose-coin';
import { AppError } from '@/lib/shared/errors';
import { systemClock } from '@/lib/shared/time';
import { stepFailed } from './step-failed';

const TITLE = 'Impossibile selezionare la criptovaluta. Riprova.';
const Form = z.object({ uuid: z.uuid(), cryptoType: CoinSchema });

/** Form of step 2. Ends at the page itself, which then shows the payment. */
export async function chooseCoinAction(_previous: StepState, form: FormData): Promise<StepState> {
  const sent = Form.safeParse(Object.fromEntries(form));
  if (!sent.success) return stepFailed(new AppError('invalid_request'), TITLE, '');
  const { uuid, cryptoType } = sent.data;
  try {
    await limitPayStep();
    await chooseCoin(webDatabase(), uuid, cryptoType, systemClock);
  } catch (error) {
    return stepFailed(error, TITLE, cryptoType);
  }
  redirect(`/pay/${uuid}`);
}
