import { useCallback, useEffect, useRef, useState } from 'react';
import { COPIED_MS } from '@/lib/shared/limits';
import { copyText } from './copy-text';

/** Copies texts to the clipboard; `copied` stays true for two seconds after a copy that worked. */
export function useCopy(): { copied: boolean; copy: (text: string) => void } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = useCallback(async (text: string) => {
    if (!(await copyText(text))) return;
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_MS);
  }, []);
  return { copied, copy };
}
