import { CryptoAmount } from '@/components/ui/crypto-amount';
import { DefinitionList } from '@/components/ui/definition-list';
import { Stamp } from '@/components/ui/stamp';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { formatDateTime, formatEuro } from '@/lib/shared/format';
import { HowToPay } from './how-to-pay';
import type { PayScreen } from './pay-screen';

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
