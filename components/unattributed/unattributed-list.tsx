'use client';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { Table } from '@/components/ui/table';
import { TransactionHash } from '@/components/wallets/transaction-hash';
import { coinNetwork } from '@/components/wallets/wallet-texts';
import type { UnattributedView } from '@/lib/api-schema/unattributed';
import { useWiderThan } from '@/lib/client/use-wider-than';
import { formatCrypto, formatDateTime, shortAddress } from '@/lib/shared/format';
import { ProbableOwner } from './probable-owner';

const COLUMNS = [
  { key: 'date', label: 'Data' },
  { key: 'amount', label: 'Importo', align: 'right' },
  { key: 'address', label: 'Indirizzo e hash' },
  { key: 'owner', label: 'Probabile proprietario' },
  { key: 'actions', label: 'Azioni', align: 'right', hidden: true },
] as const;
const TABLE_PX = 900;

interface UnattributedListProps {
  deposits: readonly UnattributedView[];
  onAttach: (deposit: UnattributedView) => void;
}

/** Unattributed deposits: a table, or stacked rows where columns do not fit. */
export function UnattributedList({ deposits, onAttach }: UnattributedListProps) {
  const [ref, isWide] = useWiderThan(TABLE_PX);
  return (
    <div ref={ref}>
      {isWide ? (
        <Table caption="Fondi non attribuiti" columns={COLUMNS}>
          {deposits.map((deposit) => (
            <tr key={deposit.id}>
              <td className="whitespace-nowrap text-ink-2">{formatDateTime(deposit.timestamp)}</td>
              <td className="r whitespace-nowrap">
                <Amount deposit={deposit} />
              </td>
              <td className="whitespace-nowrap">
                <span className="grid justify-items-start gap-0.5">
                  <To deposit={deposit} />
                  <TransactionHash coin={deposit.cryptoType} hash={deposit.hash} />
                </span>
              </td>
              <td>
                <ProbableOwner deposit={deposit} />
              </td>
              <td className="r">
                <AttachButton deposit={deposit} onAttach={onAttach} />
              </td>
            </tr>
          ))}
        </Table>
      ) : (
        <ul>
          {deposits.map((deposit) => (
            <li key={deposit.id} className="grid gap-2 border-t border-line px-4 py-3.5 first:border-t-0 md:px-5">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <Amount deposit={deposit} />
                <span className="text-xs text-ink-3">{formatDateTime(deposit.timestamp)}</span>
              </div>
              <div className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm">
                <To deposit={deposit} />
                <TransactionHash coin={deposit.cryptoType} hash={deposit.hash} />
              </div>
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
                <ProbableOwner deposit={deposit} />
                <AttachButton deposit={deposit} onAttach={onAttach} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Amount({ deposit: { amount, cryptoType } }: { deposit: UnattributedView }) {
  return (
    <span className="inline-grid">
      <CryptoAmount amount={amount} coin={cryptoType} className="font-medium" />
      <span className="text-xs text-ink-3">{coinNetwork(cryptoType)}</span>
    </span>
  );
}

function To({ deposit: { address } }: { deposit: UnattributedView }) {
  return (
    <span translate="no" title={address} className="inline-flex items-center gap-1 font-mono">
      {shortAddress(address)}
      <CopyButton value={address} name="indirizzo" iconOnly />
    </span>
  );
}

function AttachButton({ deposit, onAttach }: { deposit: UnattributedView } & Pick<UnattributedListProps, 'onAttach'>) {
  const { amount, cryptoType } = deposit;
  return (
    <Button
      size="sm"
      className="ml-auto"
      aria-haspopup="dialog"
      aria-label={`Attribuisci ${formatCrypto(amount)} ${cryptoType}`}
      onClick={() => onAttach(deposit)}
    >
      Attribuisci
    </Button>
  );
}
