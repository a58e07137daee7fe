import { CryptoAmount } from '@/components/ui/crypto-amount';
import { DefinitionList } from '@/components/ui/definition-list';
import { EurAmount } from '@/components/ui/eur-amount';
import { ShopMark } from '@/components/ui/shop-mark';
import { Stamp } from '@/components/ui/stamp';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { formatDateTime, formatEuro, shortUuid } from '@/lib/shared/format';
import type { PayScreen } from './pay-screen';

/** Top of the stub: who asks, for what, how much. */
export function SlipHead({ invoice }: { invoice: PublicInvoiceView }) {
  return (
    <section aria-label="Fattura">
      <ShopMark name={invoice.merchantName} reference={`Fattura ${shortUuid(invoice.uuid)}`} />
      <div className="mt-4 mb-1 md:mt-7 md:mb-0">
        {invoice.description !== null && <p className="text-ink-2 wrap-anywhere">{invoice.description}</p>}
        <p>
          <EurAmount value={invoice.amountEuro} size="3xl" />
        </p>
      </div>
    </section>
  );
}

interface SlipInfoProps {
  invoice: PublicInvoiceView;
  screen: PayScreen;
  /** The payment was seen to arrive on this page: the stamp lands. */
  justPaid: boolean;
}

/** Rest of the stub: details of the payment, then how to pay or the stamp. */
export function SlipInfo({ invoice, screen, justPaid }: SlipInfoProps) {
  return (
    <section aria-label="Dettagli del pagamento">
      <DefinitionList items={details(invoice, screen)} />
      {(screen === 'pay' || screen === 'partial') && <HowToPay />}
      {screen === 'paid' && (
        <p className="grid justify-items-center pt-9 pb-3">
          <Stamp
            animate={justPaid}
            {...(invoice.paidAt ? { date: formatDateTime(invoice.paidAt).replace(', ', ' · ') } : {})}
          />
        </p>
      )}
    </section>
  );
}

function details(invoice: PublicInvoiceView, screen: PayScreen) {
  const { cryptoType: coin, exchangeRate } = invoice;
  const expiry = { term: 'Scadenza', value: formatDateTime(invoice.expiryDate) };
  if (!coin) {
    return invoice.email === null ? [expiry] : [expiry, { term: 'Ricevuta a', value: invoice.email }];
  }
  const lines = [
    { term: 'Importo', value: formatEuro(invoice.amountEuro) },
    { term: `Importo in ${coin}`, value: <CryptoAmount amount={invoice.amount} coin={coin} unit={false} /> },
  ];
  if (exchangeRate !== null) lines.push({ term: 'Tasso di cambio', value: formatEuro(exchangeRate) });
  return screen === 'paid' ? lines : [...lines, expiry];
}

const STEPS = [
  'Apri il tuo wallet e inquadra il codice, oppure copia indirizzo e importo.',
  'Controlla la rete e l’indirizzo, gruppo per gruppo, poi invia l’importo esatto.',
  'Resta qui: appena il pagamento arriva, questa pagina si aggiorna da sola.',
];

/** Instructions for the payer. */
function HowToPay() {
  return (
    <section className="mt-5 border-t border-line pt-5">
      <h2 className="mb-3 text-base font-semibold">Come pagare</h2>
      <ol className="grid gap-3">
        {STEPS.map((step, index) => (
          <li key={step} className="grid grid-cols-[1.375rem_minmax(0,1fr)] gap-2.5 text-sm text-pretty text-ink-2">
            <span className="-mt-px grid size-5.5 place-items-center rounded-full border border-line-2 text-2xs font-semibold text-ink">
              {index + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
    </section>
  );
}
