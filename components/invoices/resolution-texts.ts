import type { InvoiceDetailView } from '@/lib/api-schema/invoices';
import { formatCrypto } from '@/lib/shared/format';
import { receivedMoney } from './received-money';

interface ResolutionTexts {
  title: string;
  text: string;
  confirmLabel: string;
  /** Shown when it has worked. */
  done: string;
  /** Under `done` when the invoice is expired all the same. */
  expiredDescription: string;
}

type Misfit = Pick<InvoiceDetailView, 'cryptoType' | 'amount' | 'payments' | 'openIssues'>;

/** The words with which a merchant confirms what happens to money that does not fit. */
export function resolutionTexts(invoice: Misfit, action: 'accept' | 'mark'): ResolutionTexts {
  if (action === 'mark') {
    return {
      title: 'Segnare come gestito?',
      text: 'Lo stato della fattura non cambia. Segnalo quando hai risolto con il cliente, per esempio con un rimborso.',
      confirmLabel: 'Segna come gestito',
      done: 'Segnato come gestito',
      expiredDescription: '',
    };
  }
  const others = invoice.openIssues.includes('wrongNetwork')
    ? ' Anche i fondi sulla rete sbagliata risulteranno gestiti.'
    : '';
  return invoice.openIssues.includes('late') ? acceptLate(invoice, others) : keepSurplus(invoice, others);
}

function keepSurplus(invoice: Misfit, others: string): ResolutionTexts {
  const over = inCoin(invoice, receivedMoney(invoice)?.over);
  const kept = over === null ? 'La differenza resta tua' : `${over} più del dovuto restano tuoi`;
  return {
    title: 'Tenere la differenza?',
    text: `${kept} e la fattura resta pagata.${others}`,
    confirmLabel: 'Tieni la differenza',
    done: 'Differenza tenuta',
    expiredDescription: '',
  };
}

function acceptLate(invoice: Misfit, others: string): ResolutionTexts {
  const money = receivedMoney(invoice);
  const missing = inCoin(invoice, money?.missing);
  const isShort = missing !== null;
  const outcome = isShort
    ? `, ma mancano ${missing}: se è più di quanto tolleri, la fattura resta scaduta.`
    : money?.isConfirmed
      ? ': la fattura diventa pagata e il tuo negozio viene avvisato.'
      : ': la fattura diventa pagata appena la rete lo conferma.';
  return {
    title: 'Accettare il pagamento in ritardo?',
    text: `Quello che è arrivato vale come se fosse in tempo, al cambio della fattura${outcome}${others}`,
    confirmLabel: 'Accetta il pagamento',
    done: 'Pagamento accettato',
    expiredDescription: isShort
      ? 'Non copre il dovuto: la fattura resta scaduta.'
      : 'La fattura diventa pagata appena la rete lo conferma.',
  };
}

/** An amount with its coin; null while there is no amount, or no coin was chosen that it could be in. */
function inCoin({ cryptoType }: Misfit, amount: string | null | undefined): string | null {
  return cryptoType && amount ? `${formatCrypto(amount)}\u00a0${cryptoType}` : null;
}
