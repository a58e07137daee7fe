'use client';
import { Ban } from 'lucide-react';
import { Confirmations } from '@/components/ui/confirmations';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { Icon } from '@/components/ui/icon';
import { Table } from '@/components/ui/table';
import { Direction } from '@/components/wallets/direction';
import { TransactionHash } from '@/components/wallets/transaction-hash';
import type { TransactionView } from '@/lib/api-schema/wallets';
import { useWiderThan } from '@/lib/client/use-wider-than';
import type { Coin } from '@/lib/shared/coins';
import { formatDateTime } from '@/lib/shared/format';

const COLUMNS = [
  { key: 'direction', label: 'Direzione' },
  { key: 'value', label: 'Valore', align: 'right' },
  { key: 'confirmations', label: 'Conferme' },
  { key: 'hash', label: 'Hash' },
  { key: 'date', label: 'Data', align: 'right' },
] as const;
const TABLE_PX = 720;

interface TransactionListProps {
  coin: Coin;
  transactions: readonly TransactionView[];
}

/** Transactions with their confirmations: a table, or two-line rows where columns do not fit. */
export function TransactionList({ coin, transactions }: TransactionListProps) {
  const [ref, isWide] = useWiderThan(TABLE_PX);
  return (
    <div ref={ref}>
      {isWide ? (
        <Table caption="Transazioni" columns={COLUMNS}>
          {transactions.map((transaction) => (
            <tr key={transaction.id}>
              <td>
                <Direction direction={transaction.direction} />
              </td>
              <td className="r font-medium">
                <Value coin={coin} transaction={transaction} />
              </td>
              <td>
                <Certainty transaction={transaction} />
              </td>
              <td>
                <TransactionHash coin={coin} hash={transaction.hash} />
              </td>
              <td className="r whitespace-nowrap text-ink-2">{formatDateTime(transaction.timestamp)}</td>
            </tr>
          ))}
        </Table>
      ) : (
        <ul>
          {transactions.map((transaction) => (
            <li
              key={transaction.id}
              className="flex flex-wrap justify-between gap-x-4 border-t border-line px-4 py-2.5 md:px-5"
            >
              <Direction direction={transaction.direction} />
              <span className="ml-auto font-medium">
                <Value coin={coin} transaction={transaction} />
              </span>
              <span className="flex w-full flex-wrap items-center justify-between gap-x-4 text-xs text-ink-3">
                <TransactionHash coin={coin} hash={transaction.hash} />
                <Certainty transaction={transaction} />
              </span>
              <span className="w-full text-xs text-ink-3">{formatDateTime(transaction.timestamp)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Value({ coin, transaction }: { coin: Coin; transaction: TransactionView }) {
  return <CryptoAmount amount={transaction.value} coin={coin} negative={transaction.direction === 'out'} />;
}

function Certainty({ transaction }: { transaction: TransactionView }) {
  if (transaction.status !== 'orphaned') return <Confirmations count={transaction.confirmations} />;
  return (
    <span className="inline-flex items-center gap-1.5 text-ink-2">
      <Icon icon={Ban} size={14} />
      Annullata dalla rete
    </span>
  );
}
