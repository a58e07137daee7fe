'use client';
import { type FormEvent, useActionState, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { SetEmailBody } from '@/lib/api-schema/invoices';
import { MESSAGES } from '@/lib/shared/messages';
import { EMPTY_STEP, type StepAction, StepFailure, StepTitle } from './step';

interface EmailStepProps {
  uuid: string;
  setEmail: StepAction;
}

/** Step 1: where the receipt goes. */
export function EmailStep({ uuid, setEmail }: EmailStepProps) {
  const [state, action, isPending] = useActionState(setEmail, EMPTY_STEP);
  const [isInvalid, setIsInvalid] = useState(false);

  function check(event: FormEvent<HTMLFormElement>) {
    const typed = new FormData(event.currentTarget).get('email');
    const valid = SetEmailBody.safeParse({ email: typed }).success;
    setIsInvalid(!valid);
    if (!valid || isPending) event.preventDefault();
  }

  return (
    <form action={action} onSubmit={check} noValidate className="mt-8 grid gap-6">
      <div className="grid gap-2">
        <StepTitle>Inserisci la tua email</StepTitle>
        <p className="text-ink-2">Ti mandiamo la ricevuta appena il pagamento è confermato.</p>
      </div>
      <input type="hidden" name="uuid" value={uuid} />
      <Input
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        size="lg"
        defaultValue={state.value}
        error={isInvalid ? MESSAGES.validation.publicEmail : (state.fieldError ?? undefined)}
        hint="Usata solo per la conferma del pagamento."
      />
      <StepFailure failure={state.failure} />
      <Button type="submit" variant="primary" size="lg" block busy={isPending}>
        Continua al pagamento
      </Button>
    </form>
  );
}
