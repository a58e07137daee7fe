import { CopyButton } from '@/components/ui/copy-button';
import type { InvoiceView } from '@/lib/api-schema/invoices';

/** The shop's code and the customer's email, each to be copied. */
export function CustomerPanel({ invoice }: { invoice: InvoiceView }) {
  const { externalCode, email } = invoice;
  if (externalCode === null && email === null) return null;
  return (
    <section aria-label="Cliente e ordine" className="rounded-lg border border-line bg-surface p-4 md:p-5">
      <dl className="grid gap-3.5">
        {externalCode !== null && (
          <Line term="Codice Negozio" value={externalCode} name="codice negozio" className="font-mono" />
        )}
        {email !== null && <Line term="Email del cliente" value={email} name="email" />}
      </dl>
    </section>
  );
}

interface LineProps {
  term: string;
  value: string;
  /** The thing that the button copies. */
  name: string;
  className?: string;
}

function Line({ term, value, name, className }: LineProps) {
  return (
    <div>
      <dt className="text-sm text-ink-2">{term}</dt>
      <dd className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 font-medium">
        <span className={`min-w-0 wrap-anywhere ${className ?? ''}`}>{value}</span>
        <CopyButton value={value} name={name} className="ml-auto" />
      </dd>
    </div>
  );
}
