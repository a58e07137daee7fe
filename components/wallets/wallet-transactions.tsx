'use client';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { Panel } from '@/components/ui/panel';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Table } from '@/components/ui/table';
import type { TransactionView, WalletView } from '@/lib/api-schema/wallets';
import { useWiderThan } from '@/lib/client/use-wider-than';
import type { Coin } from '@/lib/shared/coins';
import { formatDateTime } from '@/lib/shared/format';
import { Direction } from './direction';
import { TransactionHash } from './transaction-hash';
import { useTransactions } from './wallet-calls';

const COLUMNS = [
  { key: 'hash', label: 'Hash' },
  { key: 'type', label: 'Tipo' },
  { key: 'amount', label: 'Importo', align: 'right' },
  { key: 'date', label: 'Data', align: 'right' },
] as const;
const TABLE_PX = 640;

/** "Transazioni recenti" of a wallet. */
export function WalletTransactions({ wallet }: { wallet: WalletView }) {
  const { data, error, isLoading } = useTransactions(wallet.uuid, false);
  const [ref, isWide] = useWiderThan(TABLE_PX);
  const transactions = data?.items ?? [];
  const Layout = isWide ? TransactionTable : TransactionRows;
  return (
    <Panel title="Transazioni recenti" className="mt-4">
      <div ref={ref}>
        {isLoading && <SkeletonRows rows={3} />}
        {transactions.length > 0 && <Layout coin={wallet.cryptoType} transactions={transactions} />}
        {!isLoading && transactions.length === 0 && (
          <p className="border-t border-line px-4 py-6 text-ink-2 md:px-5">
            {error
              ? 'Impossibile recuperare le transazioni. Riprova.'
              : 'Nessuna transazione trovata per questo wallet'}
          </p>
        )}
      </div>
    </Panel>
  );
}

interface LayoutProps {
  coin: Coin;
  transactions: readonly TransactionView[];
}

function TransactionTable({ coin, transactions }: LayoutProps) {
  return (
    <Table caption="Transazioni recenti" columns={COLUMNS}>
      {transactions.map((transaction) => (
        <tr key={transaction.id}>
          <td>
            <TransactionHash coin={coin} hash={transaction.hash} />
          </td>
          <td>
            <Direction direction={transaction.type} />
          </td>
          <td className="r font-medium">
            <CryptoAmount amount={transaction.amount} coin={coin} negative={transaction.type === 'out'} />
          </td>
          <td className="r whitespace-nowrap text-ink-2">{formatDateTime(transaction.timestamp)}</td>
        </tr>
      ))}
    </Table>
  );
}

function TransactionRows({ coin, transactions }: LayoutProps) {
  return (
    <ul>
      {transactions.map((transaction) => (
        <li
          key={transaction.id}
          className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line px-4 py-2.5 md:px-5"
        >
          <Direction direction={transaction.type} />
          <span className="ml-auto font-medium">
            <CryptoAmount amount={transaction.amount} coin={coin} negative={transaction.type === 'out'} />
          </span>
          <span className="flex w-full flex-wrap items-center justify-between gap-x-4 text-xs text-ink-3">
            <TransactionHash coin={coin} hash={transaction.hash} />
            {formatDateTime(transaction.timestamp)}
          </span>
        </li>
      ))}
    </ul>
  );
}
