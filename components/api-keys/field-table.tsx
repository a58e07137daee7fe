export interface DocumentedField {
  name: string;
  /** What it may be: "numero", "testo, al massimo 100 caratteri". */
  type: string;
  isRequired?: boolean;
  text: string;
}

/** Fields of a body or of an event: name and type, then what it means. */
export function FieldTable({ fields }: { fields: readonly DocumentedField[] }) {
  return (
    <dl className="rounded-lg border border-line bg-surface">
      {fields.map(({ name, type, isRequired = false, text }) => (
        <div
          key={name}
          className="grid gap-x-6 gap-y-1 border-t border-line px-4 py-3 first:border-t-0 md:grid-cols-[minmax(0,14rem)_minmax(0,1fr)] md:px-5"
        >
          <dt className="min-w-0">
            <code className="font-medium wrap-anywhere">{name}</code>
            <span className="block text-xs text-ink-3">
              {type}
              {isRequired && ', obbligatorio'}
            </span>
          </dt>
          <dd className="text-pretty text-ink-2">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
