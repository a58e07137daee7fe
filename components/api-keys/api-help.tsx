import { ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { Icon } from '@/components/ui/icon';
import { CodeBlock } from './code-block';

const REQUEST = `POST /api/invoices
X-API-Key: inc_live_…

{
  "description": "Ordine 412",
  "amountEuro": 148.50,
  "cryptoType": "ETH",
  "expiryMinutes": 60,
  "externalCode": "BM-2026-0412"
}`;

const WEBHOOK = `{
  "event": "invoice.statusChanged",
  "data": {
    "uuid": "5f0c…9f3c1a7e",
    "status": "paid",
    "externalCode": "BM-2026-0412"
  },
  "timestamp": "2026-11-27T18:41:04Z"
}`;

/** How a shop uses a key, in brief. */
export function ApiHelp() {
  return (
    <aside
      aria-labelledby="api-help"
      className="grid min-w-0 grid-cols-1 gap-5 rounded-lg border border-line bg-surface p-4 md:p-5"
    >
      <div className="grid gap-2">
        <h2 id="api-help" className="text-[0.9375rem]/5">
          Come si usa
        </h2>
        <p className="text-sm text-ink-2">
          Invia la chiave nell’intestazione <code className="text-ink">X-API-Key</code> di ogni richiesta.
        </p>
      </div>
      <CodeBlock title="Crea una fattura" code={REQUEST} />
      <CodeBlock title="Notifica al tuo webhook" code={WEBHOOK} />
      <Link href="/docs/api" className="link inline-flex min-h-6 items-center gap-2">
        Documentazione completa
        <Icon icon={ArrowRight} size={14} />
      </Link>
    </aside>
  );
}
