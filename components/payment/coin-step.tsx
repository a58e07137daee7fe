'use client';
import { type FormEvent, useActionState, useState } from 'react';
import { Button } from '@/components/ui/button';
import { CoinToken } from '@/components/ui/coin-token';
import { Notice } from '@/components/ui/notice';
import { RadioCard } from '@/components/ui/radio-card';
import { useHydrated } from '@/lib/client/use-hydrated';
import { COIN_INFO, type Coin, chainOf, coinsFrom } from '@/lib/shared/coins';
import { formatCrypto } from '@/lib/shared/format';
import { EMPTY_STEP, type StepAction, StepFailure, StepTitle } from './step';

/** The order that customers see, not that of the product. */
const OFFERED = coinsFrom(['ETH', 'LTC', 'TRX', 'TON', 'BNB']);

/**
 * Without scripts the label of the button follows the choice by style alone: one span per coin, one shown. Where a coin is
 * missing here the label does without its name.
 */
const SHOWN_WHEN_CHOSEN: Partial<Record<Coin, string>> = {
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
          {hydrated ? label(chosen) : <LabelByStyle coins={coins} label={label} />}
        </Button>
      )}
      <p className="text-center text-sm text-ink-2">Dopo la scelta si potrà pagare solo con quella moneta.</p>
    </form>
  );
}

function LabelByStyle({ coins, label }: { coins: readonly Coin[]; label: (coin: Coin) => string }) {
  if (coins.some((coin) => SHOWN_WHEN_CHOSEN[coin] === undefined)) return 'Continua';
  return coins.map((coin) => (
    <span key={coin} className={SHOWN_WHEN_CHOSEN[coin]}>
      {label(coin)}
    </span>
  ));
}

interface CoinOptionProps {
  coin: Coin;
  /** False when the coin cannot be paid now: shown, with a word, but not for choice. */
  isAvailable: boolean;
  /** About what would be due in this coin; null while no price is known. */
  estimate: string | null;
  isChosen: boolean;
  onChoose: () => void;
}

/** A radio card of the coin choice. */
function CoinOption({ coin, isAvailable, estimate, isChosen, onChoose }: CoinOptionProps) {
  return (
    <RadioCard
      name="cryptoType"
      value={coin}
      lead={<CoinToken coin={coin} />}
      label={COIN_INFO[coin].name}
      hint={subtitle(coin)}
      aside={isAvailable ? estimate : 'Non disponibile ora'}
      checked={isChosen}
      disabled={!isAvailable}
      onChange={onChoose}
    />
  );
}

/**
 * The coin's letters; its network where letters and name are the same, and the network's standard where it has one, because
 * it is easily mistaken for another.
 */
function subtitle(coin: Coin): string {
  const { network } = chainOf(coin);
  const standard = /\((.+)\)$/.exec(network)?.[1];
  if (standard) return `Rete ${standard}`;
  return COIN_INFO[coin].name === coin ? `Rete ${network}` : coin;
}

/** About what an invoice would cost in each coin now: whole coins, decimal text with 8 decimals. */
export type CoinEstimates = Partial<Record<Coin, string>>;
