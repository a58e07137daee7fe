'use client';
import { Check, Copy, Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { ApiKeyView } from '@/lib/api-schema/api-keys';
import { useCopy } from '@/lib/client/use-copy';
import { IconButton } from './icon-button';
import { SecretBox } from './secret-box';
import { useRevealKey } from './use-reveal-key';

interface KeyBoxProps {
  apiKey: ApiKeyView;
  /** The whole key right after its creation. */
  known: string | null;
}

/** The key, masked until asked for; the copy is always the whole key. */
export function KeyBox({ apiKey, known }: KeyBoxProps) {
  const { key, isBusy, reveal } = useRevealKey(apiKey.id, known);
  const [isShown, setIsShown] = useState(false);
  const { copied, copy } = useCopy();

  async function toggle() {
    if (isShown || (await reveal()) !== null) setIsShown(!isShown);
  }
  async function copyWhole() {
    const whole = await reveal();
    if (whole !== null) copy(whole);
  }
  return (
    <SecretBox label="Chiave" text={isShown && key !== null ? key : apiKey.key}>
      <IconButton
        icon={isShown ? EyeOff : Eye}
        label={isShown ? 'Nascondi la chiave' : 'Mostra la chiave'}
        isPressed={isShown}
        isBusy={isBusy}
        onClick={toggle}
      />
      <IconButton
        icon={copied ? Check : Copy}
        label={copied ? 'Copiato: chiave' : 'Copia chiave'}
        isDone={copied}
        onClick={copyWhole}
      />
      <span role="status" className="sr-only">
        {copied ? 'Copiato' : ''}
      </span>
    </SecretBox>
  );
}
