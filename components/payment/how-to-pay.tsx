const STEPS = [
  'Apri il tuo wallet e inquadra il codice, oppure copia indirizzo e importo.',
  'Controlla la rete e l’indirizzo, gruppo per gruppo, poi invia l’importo esatto.',
  'Resta qui: appena il pagamento arriva, questa pagina si aggiorna da sola.',
];

/** Instructions for the payer. */
export function HowToPay() {
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
