import type { ReactNode } from 'react';
import { AppError, ERROR_STATUS, type ErrorCode } from '@/lib/shared/errors';
import { CodeBlock } from './code-block';
import { CREATE_INVOICE_FIELDS, WEBHOOK_FIELDS } from './documented-fields';
import { FieldTable } from './field-table';

/** Codes that an integrator with a key can meet. */
const CODES: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_api_key',
  'not_found',
  'body_too_large',
  'unsupported_media_type',
  'invalid_request',
  'coin_not_enabled',
  'amount_too_small',
  'too_many_requests',
  'invoice_rate_exceeded',
  'open_invoices_exceeded',
  'rate_unavailable',
  'chain_unavailable',
  'no_address_available',
];

const PROBLEM = `HTTP/1.1 422
Content-Type: application/problem+json

{
  "type": "…",
  "title": "…",
  "status": 422,
  "detail": "…",
  "code": "invalid_request",
  "message": "Alcuni dati non sono validi.",
  "errors": [
    { "pointer": "/amountEuro", "code": "…", "detail": "Inserisci un importo in euro valido" }
  ],
  "requestId": "…"
}`;

const VERIFY = `import { Webhook } from 'standardwebhooks';

// body: i byte ricevuti, prima di ogni parsing
const event = new Webhook(secret).verify(body, request.headers);`;

function createExample(publicUrl: string): string {
  return `curl ${publicUrl}/api/invoices \\
  -H 'X-API-Key: inc_live_…' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "description": "Ordine 412",
    "amountEuro": 148.50,
    "cryptoType": "ETH",
    "expiryMinutes": 60,
    "externalCode": "BM-2026-0412"
  }'`;
}

/** How an integrator uses the API: keys, invoices, notifications, errors. */
export function ApiReference({ publicUrl }: { publicUrl: string }) {
  return (
    <div className="grid gap-10">
      <Chapter id="chiavi" title="Chiavi">
        <p>
          Crea una chiave in <strong className="font-medium text-ink">API Keys</strong> e inviala nell’intestazione{' '}
          <code className="text-ink">X-API-Key</code> di ogni richiesta. Le richieste e le risposte sono in JSON. Una
          chiave crea e legge fatture: non può inviare fondi né cambiare impostazioni.
        </p>
      </Chapter>
      <Chapter id="creare" title="Creare una fattura">
        <CodeBlock title="POST /api/invoices" code={createExample(publicUrl)} />
        <FieldTable fields={CREATE_INVOICE_FIELDS} />
        <p>
          La risposta ha stato 201 e contiene la fattura, con <code className="text-ink">uuid</code> e{' '}
          <code className="text-ink">payUrl</code>: manda il cliente a quell’indirizzo. Gli importi in criptovaluta sono
          testi decimali con 8 decimali.
        </p>
      </Chapter>
      <Chapter id="leggere" title="Leggere le fatture">
        <p>
          <code className="text-ink">GET /api/invoices/&#123;id&#125;</code> risponde con una fattura; l’id è il numero
          o l’uuid. <code className="text-ink">GET /api/invoices</code> ne dà una pagina:{' '}
          <code className="text-ink">page</code>, <code className="text-ink">pageSize</code> (al massimo 100),{' '}
          <code className="text-ink">searchKeyword</code>, <code className="text-ink">status</code>,{' '}
          <code className="text-ink">cryptoType</code>, <code className="text-ink">orderBy</code>,{' '}
          <code className="text-ink">orderType</code>.
        </p>
      </Chapter>
      <Chapter id="notifiche" title="Notifiche">
        <p>
          A ogni cambio di stato inviamo un POST all’URL della chiave che ha creato la fattura, con l’evento{' '}
          <code className="text-ink">invoice.statusChanged</code>: <code className="text-ink">event</code>,{' '}
          <code className="text-ink">data</code> e <code className="text-ink">timestamp</code>. Per le fatture create a
          mano lo ricevono tutte le chiavi attive che hanno un URL.
        </p>
        <FieldTable fields={WEBHOOK_FIELDS} />
        <p>
          Le notifiche seguono Standard Webhooks: le intestazioni <code className="text-ink">webhook-id</code>,{' '}
          <code className="text-ink">webhook-timestamp</code> e <code className="text-ink">webhook-signature</code> si
          verificano con il segreto della chiave (<code className="text-ink">whsec_…</code>).
        </p>
        <CodeBlock title="Verifica della firma" code={VERIFY} />
        <p>
          Rispondi con uno stato 2xx entro pochi secondi. Altrimenti riproviamo: undici tentativi in tutto, in poco più
          di tre giorni, sempre con lo stesso <code className="text-ink">webhook-id</code>; a una risposta 410
          smettiamo.
        </p>
      </Chapter>
      <Chapter id="errori" title="Errori">
        <p>
          Gli errori sono <code className="text-ink">application/problem+json</code>: decidi in base a{' '}
          <code className="text-ink">code</code>, che non cambia; <code className="text-ink">message</code> è per le
          persone. Con 429 e 503 aspetta i secondi dell’intestazione <code className="text-ink">Retry-After</code>.
        </p>
        <CodeBlock title="Un errore" code={PROBLEM} />
        <FieldTable
          fields={CODES.map((code) => ({
            name: code,
            type: `HTTP ${ERROR_STATUS[code]}`,
            text: new AppError(code).message,
          }))}
        />
      </Chapter>
    </div>
  );
}

function Chapter({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 grid-cols-1 gap-4 *:[p]:max-w-144 *:[p]:text-pretty *:[p]:text-ink-2"
    >
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}
