import { useCallback, useEffect, useRef, useState } from 'react';
import { COPIED_MS } from '@/lib/shared/limits';

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

/**
 * Puts a text on the clipboard. Pages served over plain http have no clipboard API (it asks for a secure context):
 * there the older command copies from a field that nobody sees.
 * @returns whether it worked.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

function copyByCommand(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'sr-only';
  // Inside an open dialog everything else is inert and could not be selected.
  const host = document.querySelector('dialog:modal') ?? document.body;
  const focused = document.activeElement;
  host.append(field);
  field.select();
  const worked = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return worked;
}
