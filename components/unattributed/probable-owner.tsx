import { CopyButton } from '@/components/ui/copy-button';
import type { UnattributedView } from '@/lib/api-schema/unattributed';
import { shortUuid } from '@/lib/shared/format';

/** Whose address it is on another network, and which invoice's. */
export function ProbableOwner({ deposit: { ownerEmail, invoiceUuid } }: { deposit: UnattributedView }) {
  if (ownerEmail === null) return <span className="text-ink-3">Sconosciuto</span>;
  return (
    <span className="grid min-w-0 justify-items-start">
      <span className="wrap-anywhere">{ownerEmail}</span>
      {invoiceUuid !== null && (
        <span className="inline-flex items-center gap-1 text-xs text-ink-3">
          Fattura <span className="font-mono">{shortUuid(invoiceUuid)}</span>
          <CopyButton value={invoiceUuid} name="uuid della fattura" iconOnly />
        </span>
      )}
    </span>
  );
}
