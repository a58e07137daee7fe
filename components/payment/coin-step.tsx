'use client';
import { type FormEvent, useActionState, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useHydrated } from '@/lib/client/use-hydrated';
import type { Coin } from '@/lib/shared/coins';
import { formatCrypto } from '@/lib/shared/format';
import type { CoinEstimates } from './coin-estimates';
import { CoinOption } from './coin-option';
import { EMPTY_STEP, type StepAction } from './step-action';
import { StepFailure } from './step-failure';
import { StepTitle } from './step-title';
import { useStepFailure } from './use-step-failure';

/** Order of the spec, section 2, `/pay`. */
const OFFERED: readonly Coin[] = ['ETH', 'LTC', 'TRX', 'TON', 'BNB'];

/** Without scripts the label of the button follows the choice by style alone: one span per coin, one shown. */
const SHOWN_WHEN_CHOSEN: Record<Coin, string> = {
  ETH: 'hidden group-has-[[value=ETH]:checked]:inline',
  LTC: 'hidden group-has-[[value=LTC]:checked]:inline',
  TRX: 'hidden group-has-[[value=TRX]:checked]:inline',
  TON: 'hidden group-has-[[value=TON]:checked]:inline',
  BNB: 'hidden group-has-[[value=BNB]:checked]:inline',
};

interface CoinStepProps {
  uuid: string;
  availableCoins: readonly Coin[];
  estimates: CoinEstimates;
  chooseCoin: StepAction;
}

/** Step 2: the coin, once and for good. */
export function CoinStep({ uuid, availableCoins, estimates, chooseCoin }: CoinStepProps) {
  const [state, action, isPending] = useActionState(chooseCoin, EMPTY_STEP);
  const [picked, setPicked] = useState<Coin>();
  const hydrated = useHydrated();
  useStepFailure(state);

  const coins = OFFERED.filter((coin) => availableCoins.includes(coin));
  const chosen = picked && coins.includes(picked) ? picked : coins[0];
  const label = (coin: Coin) => `Continua con ${coin}`;

  function refuseTwice(event: FormEvent) {
    if (isPending) event.preventDefault();
  }

  return (
    <form action={action} onSubmit={refuseTwice} className="group mt-8 grid gap-5">
      <StepTitle>Scegli la criptovaluta</StepTitle>
      <input type="hidden" name="uuid" value={uuid} />
      <fieldset className="grid gap-2">
        <legend className="sr-only">Criptovaluta</legend>
        {OFFERED.map((coin) => (
          <CoinOption
            key={coin}
            coin={coin}
            isAvailable={coins.includes(coin)}
            estimate={estimates[coin] ? `circa ${formatCrypto(estimates[coin])}` : null}
            isChosen={coin === chosen}
            onChoose={() => setPicked(coin)}
          />
        ))}
      </fieldset>
      {chosen === undefined && (
        <Notice tone="warning">Nessuna criptovaluta è disponibile al momento. Riprova tra poco.</Notice>
      )}
      <StepFailure failure={state.failure} />
      {chosen && (
        <Button type="submit" variant="primary" size="lg" block busy={isPending}>
          {hydrated
            ? label(chosen)
            : coins.map((coin) => (
                <span key={coin} className={SHOWN_WHEN_CHOSEN[coin]}>
                  {label(coin)}
                </span>
              ))}
        </Button>
      )}
      <p className="text-center text-sm text-ink-2">Dopo la scelta si potrà pagare solo con quella moneta.</p>
    </form>
  );
}
