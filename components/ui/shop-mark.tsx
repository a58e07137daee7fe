import { initials } from './initials';

interface ShopMarkProps {
  name: string;
  /** Small line under the name: "Fattura #9f3c1a7e". */
  reference?: string;
}

/** A shop's initials, name and reference. */
export function ShopMark({ name, reference }: ShopMarkProps) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <span
        aria-hidden="true"
        className="grid size-10 shrink-0 place-items-center rounded-control bg-ink text-[0.9375rem] font-semibold tracking-[-0.02em] text-surface"
      >
        {initials(name)}
      </span>
      <span className="min-w-0">
        <span className="block text-md/5.5 font-semibold tracking-[-0.01em]">{name}</span>
        {reference && <span className="block text-sm text-ink-3">{reference}</span>}
      </span>
    </div>
  );
}
