import { Coupon } from '@/components/ui/coupon';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { DefinitionList } from '@/components/ui/definition-list';
import { EurAmount } from '@/components/ui/eur-amount';
import { ShopMark } from '@/components/ui/shop-mark';
import type { Coin } from '@/lib/shared/coins';
import { formatEuro } from '@/lib/shared/format';
import { expiryLabel } from './invoice-form';

export interface InvoicePreviewProps {
  shop: string;
  description: string;
  /** Null while the typed amount is none. */
  amountEuro: number | null;
  /** Null when the customer chooses. */
  coin: Coin | null;
  /** EUR per coin, decimal text; null while unknown. */
  rate: string | null;
  /** Due at that rate, whole coins, decimal text. */
  due: string | null;
  expiryMinutes: number;
}

/** The invoice as the customer will see it. */
export function InvoicePreview({ shop, description, amountEuro, coin, rate, due, expiryMinutes }: InvoicePreviewProps) {
  const lines = [
    {
      term: 'Da pagare',
      value: coin === null ? 'Moneta a scelta' : <CryptoAmount amount={due} coin={coin} />,
    },
    ...(rate === null ? [] : [{ term: 'Tasso di cambio', value: formatEuro(rate) }]),
    { term: 'Valida per', value: expiryLabel(expiryMinutes) },
  ];
  return (
    <aside aria-labelledby="preview-title">
      <p id="preview-title" className="mb-2.5 text-sm font-medium text-ink-2">
        Anteprima per il cliente
      </p>
      <Coupon
        head={
          <div className="grid gap-4">
            <ShopMark name={shop} />
            <div>
              <p className="text-ink-2 wrap-anywhere">{description || 'Descrizione'}</p>
              <p>
                <EurAmount value={amountEuro ?? 0} size="3xl" className={amountEuro === null ? 'text-ink-3' : ''} />
              </p>
            </div>
          </div>
        }
      >
        <DefinitionList size="sm" items={lines} />
      </Coupon>
    </aside>
  );
}
