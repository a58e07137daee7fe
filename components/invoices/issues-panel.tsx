'use client';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Panel } from '@/components/ui/panel';
import type { InvoiceDetailView } from '@/lib/api-schema/invoices';
import { IssueText } from './issue-text';
import { ResolveDialog } from './resolve-dialog';

const TITLES: Record<InvoiceDetailView['openIssues'][number], string> = {
  late: 'Pagamento arrivato in ritardo',
  overpaid: 'Pagamento superiore al dovuto',
  wrongNetwork: 'Rete sbagliata',
};

/** "Da gestire": money that does not fit and waits for the merchant, with what can be done about it. */
export function IssuesPanel({ invoice }: { invoice: InvoiceDetailView }) {
  const { openIssues } = invoice;
  const [asked, setAsked] = useState<'accept' | 'mark' | null>(null);
  if (openIssues.length === 0) return null;
  const acceptLabel = openIssues.includes('late')
    ? 'Accetta il pagamento'
    : openIssues.includes('overpaid')
      ? 'Tieni la differenza'
      : null;
  return (
    <Panel title="Da gestire" className="mt-4">
      <ul>
        {openIssues.map((issue) => (
          <li key={issue} className="flex gap-3 border-t border-line px-4 py-3.5 md:px-5">
            <Icon icon={CircleAlert} size={18} className="mt-0.25 shrink-0 text-warning" />
            <div className="grid min-w-0 gap-0.5">
              <h3 className="font-medium">{TITLES[issue]}</h3>
              <IssueText issue={issue} invoice={invoice} />
            </div>
          </li>
        ))}
      </ul>
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
      {asked && <ResolveDialog invoice={invoice} action={asked} onClose={() => setAsked(null)} />}
    </Panel>
  );
}
