'use client';
import { Check, Link as LinkIcon } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { useCopy } from '@/lib/client/use-copy';

/** Copies the address of the payment page. */
export function CopyLinkButton({ url }: { url: string }) {
  const { copied, copy } = useCopy();
  return (
    <>
      <Button icon={copied ? Check : LinkIcon} onClick={() => copy(url)}>
        {copied ? 'Copiato' : 'Copia link'}
      </Button>
      <span role="status" className="sr-only">
        {copied ? 'Link copiato' : ''}
      </span>
    </>
  );
}
