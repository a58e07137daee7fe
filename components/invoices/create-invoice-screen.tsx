'use client';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/button-link';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { PageHead } from '@/components/ui/page-head';
import { Select } from '@/components/ui/select';
import type { CreateInvoiceInput } from '@/lib/api-schema/invoices';
import { formResolver } from '@/lib/client/form-resolver';
import { useSession } from '@/lib/client/session';
import { COIN_INFO, COINS } from '@/lib/shared/coins';
import { formatCrypto, formatEuro } from '@/lib/shared/format';
import { EXPIRY_MINUTES, MAX_DESCRIPTION_LENGTH, MAX_EXTERNAL_CODE_LENGTH } from '@/lib/shared/limits';
import { centsToEuro, eurCentsToDueUnits, toShownAmount } from '@/lib/shared/money';
import { parseEuro } from '@/lib/shared/parse-euro';
import { AmountField } from './amount-field';
import { useCreateInvoice, usePrice } from './invoice-calls';
import { EMPTY_INVOICE, expiryLabel, InvoiceForm, type InvoiceFormValues } from './invoice-form';
import { InvoicePreview } from './invoice-preview';

const COIN_OPTIONS = [
  { value: '', label: 'Scelta dal cliente al momento del pagamento' },
  ...COINS.map((coin) => ({
    value: coin,
    label: COIN_INFO[coin].name === coin ? coin : `${coin} · ${COIN_INFO[coin].name}`,
  })),
];
const EXPIRY_OPTIONS = EXPIRY_MINUTES.map((minutes) => ({ value: String(minutes), label: expiryLabel(minutes) }));

/** "Nuova Fattura": the form, and beside it what the customer will see. */
export function CreateInvoiceScreen() {
  const { user } = useSession();
  const create = useCreateInvoice();
  const { register, control, handleSubmit, formState } = useForm<InvoiceFormValues, unknown, CreateInvoiceInput>({
    defaultValues: EMPTY_INVOICE,
    resolver: formResolver(InvoiceForm),
  });
  const { errors } = formState;
  const values = useWatch({ control });
  const coin = COINS.find((known) => known === values.cryptoType) ?? null;
  const rate = usePrice(coin);
  const { cents } = parseEuro(values.amount ?? '');
  const due = coin && rate && cents !== null ? toShownAmount(eurCentsToDueUnits(cents, coin, rate), coin, 'up') : null;
  // After a success the screen changes to the invoice: no second press until it does.
  const isBusy = create.isPending || create.isSuccess;

  return (
    <>
      <PageHead
        title="Nuova Fattura"
        back={{ href: '/invoices', label: 'Fatture' }}
        description="Il prezzo è in euro, il cliente paga in crypto."
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <form
          noValidate
          onSubmit={handleSubmit((body) => create.mutate(body))}
          className="min-w-0 rounded-lg border border-line bg-surface"
        >
          <div className="grid gap-5 p-4 md:p-5">
            <Input
              label="Descrizione"
              autoComplete="off"
              maxLength={MAX_DESCRIPTION_LENGTH}
              hint="Il cliente la legge nella pagina di pagamento."
              error={errors.description?.message}
              {...register('description')}
            />
            <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
              <Controller
                control={control}
                name="amount"
                render={({ field }) => (
                  <AmountField
                    ref={field.ref}
                    value={field.value}
                    onChange={field.onChange}
                    error={errors.amount?.message}
                  />
                )}
              />
              <Select
                label="Criptovaluta"
                optional
                options={COIN_OPTIONS}
                error={errors.cryptoType?.message}
                {...register('cryptoType')}
              />
            </div>
            <Notice tone="info">
              L’importo in crypto viene calcolato con il tasso di cambio attuale
              {coin && rate
                ? `: ora 1\u00a0${coin}\u00a0=\u00a0${formatEuro(rate)}${due ? `, quindi ${formatCrypto(due)}\u00a0${coin}` : ''}. Viene fissato alla creazione.`
                : coin
                  ? ' e viene fissato alla creazione.'
                  : ', quando il cliente sceglie la moneta.'}
            </Notice>
            <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
              <Input
                label="Codice Esterno"
                optional
                mono
                autoComplete="off"
                maxLength={MAX_EXTERNAL_CODE_LENGTH}
                error={errors.externalCode?.message}
                {...register('externalCode')}
              />
              <Select
                label="Tempo di validità"
                options={EXPIRY_OPTIONS}
                error={errors.expiryMinutes?.message}
                {...register('expiryMinutes')}
              />
            </div>
          </div>
          <div className="flex justify-end gap-2 border-t border-line p-4 max-md:*:flex-1 md:px-5">
            <ButtonLink href="/invoices">Annulla</ButtonLink>
            <Button type="submit" variant="primary" busy={isBusy} busyLabel="Creazione in corso...">
              Crea Fattura
            </Button>
          </div>
        </form>
        <InvoicePreview
          shop={user?.name ?? ''}
          description={values.description ?? ''}
          amountEuro={cents === null ? null : centsToEuro(cents)}
          coin={coin}
          rate={rate}
          due={due}
          expiryMinutes={Number(values.expiryMinutes)}
        />
      </div>
    </>
  );
}
