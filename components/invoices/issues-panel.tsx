'use client';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { Icon } from '@/components/ui/icon';
import { Panel } from '@/components/ui/panel';
import { TransactionHash } from '@/components/wallets/transaction-hash';
import type { InvoiceDetailView } from '@/lib/api-schema/invoices';
import { chainOf } from '@/lib/shared/coins';
import { receivedMoney } from './received-money';
import { ResolveDialog } from './resolve-dialog';

const TITLES: Record<InvoiceDetailView['openIssues'][number], string> = {
  late: 'Pagamento arrivato in ritardo',
  overpaid: 'Pagamento superiore al dovuto',
  wrongNetwork: 'Rete sbagliata',
};

/** "Da gestire": money that does not fit and waits for the merchant, with what can be done about it. */
export function IssuesPanel({ invoice }: { invoice: InvoiceDetailView }) {
  const { openIssues, unexplained, cryptoType } = invoice;
  const [asked, setAsked] = useState<'accept' | 'mark' | null>(null);
  if (openIssues.length === 0 && unexplained === null) return null;
  const acceptLabel = openIssues.includes('late')
    ? 'Accetta il pagamento'
    : openIssues.includes('overpaid')
      ? 'Tieni la differenza'
      : null;
  return (
    <Panel title="Da gestire" className="mt-4">
      <ul>
        {openIssues.map((issue) => (
          <Issue key={issue} title={TITLES[issue]}>
            <IssueText issue={issue} invoice={invoice} />
          </Issue>
        ))}
        {unexplained !== null && cryptoType && (
          <Issue title="Denaro da verificare">
            <p className="text-sm text-ink-2">
              All’indirizzo ci sono{' '}
              <CryptoAmount amount={unexplained} coin={cryptoType} className="inline-block font-medium text-ink" /> che
              non corrispondono a nessun pagamento visto: succede quando si paga attraverso un contratto. Non contano
              ancora: chi gestisce questo server può verificarli e accreditarli.
            </p>
          </Issue>
        )}
      </ul>
      {openIssues.length > 0 && (
        <div className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3.5 max-md:*:flex-1 md:px-5">
          <Button aria-haspopup="dialog" onClick={() => setAsked('mark')}>
            Segna come gestito
          </Button>
          {acceptLabel && (
            <Button variant="primary" aria-haspopup="dialog" onClick={() => setAsked('accept')}>
              {acceptLabel}
            </Button>
          )}
        </div>
      )}
      {asked && <ResolveDialog invoice={invoice} action={asked} onClose={() => setAsked(null)} />}
    </Panel>
  );
}

function Issue({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3 border-t border-line px-4 py-3.5 md:px-5">
      <Icon icon={CircleAlert} size={18} className="mt-0.25 shrink-0 text-warning" />
      <div className="grid min-w-0 gap-0.5">
        <h3 className="font-medium">{title}</h3>
        {children}
      </div>
    </li>
  );
}

interface IssueTextProps {
  issue: InvoiceDetailView['openIssues'][number];
  invoice: InvoiceDetailView;
}

/** What happened, in amounts, and what it means. */
function IssueText({ issue, invoice }: IssueTextProps) {
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
            <span className="text-ink-2">Rete {chainOf(cryptoType).network}</span>
            <TransactionHash coin={cryptoType} hash={hash} />
          </li>
        ))}
      </ul>
    </>
  );
}
