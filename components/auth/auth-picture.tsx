import { Coupon } from '@/components/ui/coupon';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { DefinitionList } from '@/components/ui/definition-list';
import { EurAmount } from '@/components/ui/eur-amount';
import { ShopMark } from '@/components/ui/shop-mark';
import { Stamp } from '@/components/ui/stamp';

const RECEIPT = [
  { term: 'Ricevuto', value: <CryptoAmount amount="0.06734223" coin="ETH" /> },
  { term: 'Tasso di cambio', value: <EurAmount value="3118.40" /> },
];

/** What the product is for, as a picture: a paid invoice. An example, said so to screen readers. */
export function AuthPicture() {
  return (
    <aside
      aria-label="Esempio di fattura pagata"
      className="relative hidden place-items-center overflow-hidden bg-brand p-8 [--notch:var(--brand)] md:grid lg:p-12"
    >
      <div className="ruled absolute inset-0" />
      <div className="relative grid justify-items-center gap-10">
        <Coupon
          bare
          className="w-84 max-w-full text-ink shadow-[0_32px_64px_-16px_rgb(0_0_0/0.35)]"
          head={
            <div className="grid gap-4">
              <ShopMark name="Bottega Marani" reference="Fattura #e2a94c66" />
              <div className="grid gap-2">
                <span className="text-ink-2">Restauro borsa da medico</span>
                <EurAmount value="210.00" size="3xl" />
              </div>
            </div>
          }
        >
          <DefinitionList size="sm" items={RECEIPT} />
          <p className="grid justify-items-center pt-4 pb-2">
            <Stamp date="27 nov 2026 · 11:34" />
          </p>
        </Coupon>
        <p className="max-w-96 text-center text-lg text-balance text-on-brand/92">
          Prezzi in euro, incassi in crypto, direttamente nei tuoi wallet.
        </p>
      </div>
    </aside>
  );
}
