import { ExternalLink } from 'lucide-react';
import { CopyButton } from '@/components/ui/copy-button';
import { Icon } from '@/components/ui/icon';
import type { Coin } from '@/lib/shared/coins';
import { explorerUrl } from '@/lib/shared/explorer-url';
import { shortHash } from '@/lib/shared/format';

/** A shortened hash: a link to the block explorer where the coin has one, else with a button that copies it whole. */
export function TransactionHash({ coin, hash }: { coin: Coin; hash: string }) {
  const url = explorerUrl(coin, hash);
  if (url === null) {
    return (
      <span className="inline-flex items-center gap-1 font-mono" title={hash}>
        {shortHash(hash)}
        <CopyButton value={hash} name="hash" iconOnly />
      </span>
    );
  }
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      title={hash}
      className="link inline-flex min-h-6 items-center gap-2 font-mono"
    >
      {shortHash(hash)}
      <Icon icon={ExternalLink} size={14} label="Apri nell’explorer" />
    </a>
  );
}
