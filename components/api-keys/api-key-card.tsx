'use client';
import { Ban, CircleCheck, Eye, Pencil } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { CopyButton } from '@/components/ui/copy-button';
import type { ApiKeyView } from '@/lib/api-schema/api-keys';
import { formatDateTime } from '@/lib/shared/format';
import { KeyBox, SecretBox } from './key-box';

const COUNT = new Intl.NumberFormat('it-IT', { useGrouping: 'always' });

interface ApiKeyCardProps {
  apiKey: ApiKeyView;
  /** Right after its creation: the whole key and its secret. */
  fresh: { key: string; secret: string } | null;
  onEdit: () => void;
  onDeactivate: () => void;
}

/** One API key. */
export function ApiKeyCard({ apiKey, fresh, onEdit, onDeactivate }: ApiKeyCardProps) {
  const { name, description, isActive, webhookUrl } = apiKey;
  return (
    <article className="grid min-w-0 gap-4 rounded-lg border border-line bg-surface p-4 md:p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <div className="min-w-0">
          <h2 className={classNames('text-[0.9375rem]/5 wrap-anywhere', !isActive && 'text-ink-2')}>{name}</h2>
          {description !== null && <p className="text-xs text-ink-3 wrap-anywhere">{description}</p>}
        </div>
        <ActiveBadge active={isActive} />
      </div>
      {fresh && (
        <SecretBox
          label="Segreto"
          once
          badge={
            <Badge tone="warning" icon={Eye}>
              Visibile solo 1 volta
            </Badge>
          }
          text={fresh.secret}
          hint="Firma le notifiche. Copialo ora: non potremo mostrarlo di nuovo."
        >
          <CopyButton value={fresh.secret} name="segreto" iconOnly />
        </SecretBox>
      )}
      <KeyBox apiKey={apiKey} known={fresh?.key ?? null} />
      {webhookUrl !== null && (
        <div className="grid gap-1 text-sm">
          <span className="font-medium">Webhook URL</span>
          <span translate="no" className="font-mono break-all text-ink-2">
            {webhookUrl}
          </span>
        </div>
      )}
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-2">
        <span>{usage(apiKey.usageCount)}</span>
        <span>Creata il {formatDateTime(apiKey.createdAt)}</span>
        {apiKey.lastUsedAt !== null && <span>Ultimo uso {formatDateTime(apiKey.lastUsedAt)}</span>}
      </p>
      {isActive && (
        <div className="flex flex-wrap gap-2 border-t border-line pt-4">
          <Button size="sm" icon={Pencil} aria-haspopup="dialog" onClick={onEdit}>
            Modifica
          </Button>
          <Button variant="danger-quiet" size="sm" icon={Ban} aria-haspopup="dialog" onClick={onDeactivate}>
            Disattiva
          </Button>
        </div>
      )}
    </article>
  );
}

function usage(count: number): string {
  if (count === 0) return 'Mai usata';
  return count === 1 ? '1 utilizzo' : `${COUNT.format(count)} utilizzi`;
}

/** State of an API key: Attiva or Disattivata. */
function ActiveBadge({ active }: { active: boolean }) {
  return active ? (
    <Badge tone="success" icon={CircleCheck}>
      Attiva
    </Badge>
  ) : (
    <Badge tone="over" icon={Ban}>
      Disattivata
    </Badge>
  );
}
