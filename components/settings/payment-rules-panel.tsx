'use client';
import { useForm } from 'react-hook-form';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { Panel } from '@/components/ui/panel';
import { RadioCard } from '@/components/ui/radio-card';
import type { PaymentRules } from '@/lib/api-schema/payment-rules';
import { ApiError, errorMessage } from '@/lib/client/api';
import { formResolver } from '@/lib/client/form-resolver';
import { SAVE_FAILURE, useSavePaymentRules } from './payment-rules-calls';
import { PaymentRulesForm, type PaymentRulesValues, paymentRulesValues } from './payment-rules-form';

/** Tolerance and late payments, with what each choice means. */
export function PaymentRulesPanel({ rules }: { rules: PaymentRules }) {
  const save = useSavePaymentRules();
  const { register, handleSubmit, reset, setError, formState } = useForm<PaymentRulesValues, unknown, PaymentRules>({
    defaultValues: paymentRulesValues(rules),
    resolver: formResolver(PaymentRulesForm),
  });
  const { errors } = formState;

  const submit = handleSubmit((body) => {
    if (save.isPending) return;
    save.mutate(body, {
      onSuccess: (saved) => reset(paymentRulesValues(saved)),
      onError: (error) => {
        const { field, message } = placeOf(error);
        setError(field, { type: 'server', message });
      },
    });
  });
  return (
    <Panel title="Pagamenti" className="max-w-176">
      <form noValidate onSubmit={submit} className="border-t border-line">
        <div className="grid gap-6 p-4 md:p-5">
          <Input
            label="Tolleranza"
            inputMode="decimal"
            autoComplete="off"
            suffix="%"
            hint="Quanto può mancare perché una fattura risulti comunque pagata, da 0 a 10. Vale per le fatture create da ora in poi."
            error={errors.tolerancePercent?.message}
            {...register('tolerancePercent')}
          />
          <fieldset className="grid gap-2">
            <legend className="mb-1.5 font-medium">Pagamenti in ritardo</legend>
            <RadioCard
              value="review"
              label="Decido io"
              hint="La fattura resta scaduta e ti chiede cosa fare del pagamento."
              {...register('latePolicy')}
            />
            <RadioCard
              value="accept"
              label="Accetta automaticamente"
              hint="I pagamenti confermati da ora in poi valgono come se fossero arrivati in tempo, al cambio della fattura."
              {...register('latePolicy')}
            />
          </fieldset>
          {errors.root && (
            <Notice tone="danger" role="alert">
              {errors.root.message}
            </Notice>
          )}
        </div>
        <div className="flex justify-end border-t border-line p-4 max-md:*:flex-1 md:px-5">
          <Button type="submit" variant="primary" busy={save.isPending} busyLabel="Salvataggio in corso...">
            Salva modifiche
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** Where the server's complaint belongs: under the tolerance when it names it, else above the button. */
function placeOf(error: unknown): { field: 'tolerancePercent' | 'root'; message: string } {
  const named = error instanceof ApiError ? error.errors?.[0] : undefined;
  return named?.pointer === '/tolerancePercent'
    ? { field: 'tolerancePercent', message: named.detail }
    : { field: 'root', message: named?.detail ?? errorMessage(error, SAVE_FAILURE) };
}
