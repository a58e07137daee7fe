import { Meter } from '@/components/ui/meter';
import { parseUnits, SHOWN_DECIMALS } from '@/lib/shared/money';

interface PartialMeterProps {
  /** Decimal texts with 8 decimals. */
  received: string;
  due: string | null;
}

const PARTS = 10_000n;

/** Bar of what came in. The figures stand beside it: the bar may round. */
export function PartialMeter({ received, due }: PartialMeterProps) {
  const dueUnits = due === null ? null : parseUnits(due, SHOWN_DECIMALS);
  const receivedUnits = parseUnits(received, SHOWN_DECIMALS);
  if (!dueUnits || receivedUnits === null) return null;
  return (
    <Meter
      label="Parte ricevuta"
      tone="warning"
      max={Number(PARTS)}
      value={Number((receivedUnits * PARTS) / dueUnits)}
    />
  );
}
