import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react';
import { pressProps } from './button';
import { classNames } from './class-names';
import { Icon } from './icon';

interface PaginationProps {
  page: number;
  pageSize: number;
  total: number;
  totalPages: number;
  /** Plural of what is listed: "fatture". */
  noun: string;
  onPage: (page: number) => void;
}

const NUMBER =
  'grid h-8 min-w-8 place-items-center rounded-md font-medium transition-colors max-md:h-10 max-md:min-w-9';

/** "Mostrando 1 - 10 di 128 fatture", arrows and at most five page numbers. */
export function Pagination({ page, pageSize, total, totalPages, noun, onPage }: PaginationProps) {
  const first = total === 0 ? 0 : (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  const arrow = (label: string, icon: LucideIcon, target: number) => (
    <button
      type="button"
      aria-label={label}
      {...pressProps({ disabled: target < 1 || target > totalPages, onClick: () => onPage(target) })}
      className={classNames(
        NUMBER,
        'not-aria-disabled:hover:bg-press not-aria-disabled:hover:text-ink aria-disabled:cursor-default aria-disabled:text-line-strong',
      )}
    >
      <Icon icon={icon} />
    </button>
  );
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-3 text-sm text-ink-2 max-md:flex-col md:px-5">
      <p>
        Mostrando {first} - {last} di {total} {noun}
      </p>
      {totalPages > 1 && (
        <nav aria-label="Pagine" className="flex items-center gap-0.5">
          {arrow('Pagina precedente', ChevronLeft, page - 1)}
          {pageNumbers(page, totalPages).map((number) => (
            <button
              key={number}
              type="button"
              aria-label={`Pagina ${number}`}
              aria-current={number === page ? 'page' : undefined}
              onClick={() => onPage(number)}
              className={classNames(
                NUMBER,
                number === page ? 'bg-accent-soft font-semibold text-accent' : 'hover:bg-press hover:text-ink',
              )}
            >
              {number}
            </button>
          ))}
          {arrow('Pagina successiva', ChevronRight, page + 1)}
        </nav>
      )}
    </div>
  );
}

/** At most this many page numbers are shown. */
const MAX_NUMBERS = 5;

/** Page numbers to show: a window of at most five around the current page, kept inside 1…totalPages. */
export function pageNumbers(page: number, totalPages: number): number[] {
  const count = Math.min(MAX_NUMBERS, totalPages);
  const first = Math.max(1, Math.min(page - Math.floor(MAX_NUMBERS / 2), totalPages - count + 1));
  return Array.from({ length: count }, (_, index) => first + index);
}
