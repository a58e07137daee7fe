'use client';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { CoinSchema } from '@/lib/api-schema/common';
import { coinsFrom } from '@/lib/shared/coins';
import { INVOICE_STATUSES } from '@/lib/shared/invoice-status';
import { SEARCH_DEBOUNCE_MS } from '@/lib/shared/limits';
import { MESSAGES } from '@/lib/shared/messages';
import type { InvoiceFilters } from './invoice-filters';

/** The order in which merchants look for them, not that of the product. */
const FILTER_COINS = coinsFrom(['BNB', 'ETH', 'TON', 'TRX', 'LTC']);

const STATUS_OPTIONS = [
  { value: '', label: 'Stato: tutti' },
  ...INVOICE_STATUSES.map((status) => ({ value: status, label: MESSAGES.invoiceStatus[status] })),
];
const COIN_OPTIONS = [
  { value: '', label: 'Crypto: tutte' },
  ...FILTER_COINS.map((coin) => ({ value: coin, label: coin })),
];

interface InvoiceToolbarProps {
  /** What the search field starts with. */
  initialKeyword: string;
  filters: InvoiceFilters;
  onChange: (change: Partial<InvoiceFilters>) => void;
}

/** Search and filters of the list. */
export function InvoiceToolbar({ initialKeyword, filters, onChange }: InvoiceToolbarProps) {
  return (
    <search className="flex flex-wrap gap-2 border-b border-line px-3 py-3 md:px-5 md:py-3.5">
      <SearchField initialKeyword={initialKeyword} onChange={onChange} />
      <Select
        label="Stato"
        hideLabel
        options={STATUS_OPTIONS}
        value={filters.status ?? ''}
        onChange={(event) =>
          onChange({ status: INVOICE_STATUSES.find((status) => status === event.target.value) ?? null })
        }
        className="min-w-0 flex-1 md:flex-none"
      />
      <Select
        label="Crypto"
        hideLabel
        options={COIN_OPTIONS}
        value={filters.cryptoType ?? ''}
        onChange={(event) =>
          onChange({
            cryptoType: CoinSchema.nullable()
              .catch(null)
              .parse(event.target.value || null),
          })
        }
        className="min-w-0 flex-1 md:flex-none"
      />
    </search>
  );
}

/** What is typed counts 300 ms after the last key. */
function SearchField({ initialKeyword, onChange }: Pick<InvoiceToolbarProps, 'initialKeyword' | 'onChange'>) {
  const [typed, setTyped] = useState(initialKeyword);
  const settled = useDebounce(typed.trim(), SEARCH_DEBOUNCE_MS);
  const [searched, setSearched] = useState(initialKeyword);

  useEffect(() => {
    if (settled === searched) return;
    setSearched(settled);
    onChange({ searchKeyword: settled });
  }, [settled, searched, onChange]);

  return (
    <Input
      label="Cerca"
      hideLabel
      type="search"
      icon={Search}
      placeholder="Codice, descrizione o email"
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      className="min-w-0 basis-full md:max-w-88 md:flex-1 md:basis-64"
    />
  );
}

/** `value` as it was once it has not changed for `delayMs`. */
function useDebounce<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
