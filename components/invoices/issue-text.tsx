import { CryptoAmount } from '@/components/ui/crypto-amount';
import { TransactionHash } from '@/components/wallets/transaction-hash';
import type { InvoiceDetailView } from '@/lib/api-schema/invoices';
import { COIN_INFO } from '@/lib/shared/coins';
import { receivedMoney } from './received-money';

interface IssueTextProps {
  issue: InvoiceDetailView['openIssues'][number];
  invoice: InvoiceDetailView;
}

/** What happened, in amounts, and what it means. */
export function IssueText({ issue, invoice }: IssueTextProps) {
  if (issue === 'wrongNetwork') return <WrongNetwork payments={invoice.wrongNetwork} />;
  const { cryptoType: coin } = invoice;
  const money = receivedMoney(invoice);
  if (!coin || !money) return null;
  const amount = (text: string | null) => (
    <CryptoAmount amount={text} coin={coin} className="inline-block font-medium text-ink" />
  );
  if (issue === 'overpaid') {
    return (
      <p className="text-sm text-ink-2">
        Arrivati {amount(money.received)}, cioè {amount(money.over)} più del dovuto. La fattura resta pagata: la
        differenza puoi tenerla, oppure restituirla al cliente e segnarla come gestita.
      </p>
    );
  }
  return (
    <p className="text-sm text-ink-2">
      Arrivati in tutto {amount(money.received)} su {amount(invoice.amount)} dovuti.{' '}
      {money.missing === null ? (
        'Se lo accetti, vale come se fosse arrivato in tempo.'
      ) : (
        <>
          Mancano {amount(money.missing)}: se è più di quanto tolleri, la fattura resta scaduta anche dopo che accetti.
        </>
      )}
    </p>
  );
}

function WrongNetwork({ payments }: { payments: InvoiceDetailView['wrongNetwork'] }) {
  return (
    <>
      <p className="text-sm text-ink-2">
        Arrivati all’indirizzo di questa fattura su un’altra rete: non contano per il pagamento. Chi gestisce questo
        server può accreditarli su un tuo wallet di quella rete.
      </p>
      <ul className="mt-1 grid gap-1 text-sm">
        {payments.map(({ cryptoType, amount, hash }) => (
          <li key={`${cryptoType} ${hash}`} className="flex flex-wrap items-center gap-x-3">
            <CryptoAmount amount={amount} coin={cryptoType} className="font-medium" />
            <span className="text-ink-2">Rete {COIN_INFO[cryptoType].network}</span>
            <TransactionHash coin={cryptoType} hash={hash} />
          </li>
        ))}
      </ul>
    </>
  );
}
