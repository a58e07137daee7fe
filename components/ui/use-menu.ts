import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';

interface MenuState {
  open: boolean;
  toggle: () => void;
  /** Closes and gives the focus back to the trigger. */
  close: () => void;
  rootRef: RefObject<HTMLDivElement | null>;
  triggerRef: RefObject<HTMLButtonElement | null>;
  listRef: RefObject<HTMLDivElement | null>;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Open state and keys of a menu button, after the ARIA practices: focus moves into the list and back. */
export function useMenu(): MenuState {
  const [open, setOpen] = useState(false);
  const rootRef = useRef<HTMLDivElement>(null);
  const triggerRef = useRef<HTMLButtonElement>(null);
  const listRef = useRef<HTMLDivElement>(null);

  const close = useCallback(() => {
    setOpen(false);
    triggerRef.current?.focus();
  }, []);

  useEffect(() => {
    if (!open) return;
    items(listRef.current)[0]?.focus();
    const onOutside = (event: Event) => {
      if (event.target instanceof Node && !rootRef.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onOutside);
    document.addEventListener('focusin', onOutside);
    return () => {
      document.removeEventListener('pointerdown', onOutside);
      document.removeEventListener('focusin', onOutside);
    };
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) {
      if (event.key === 'ArrowDown') {
        event.preventDefault();
        setOpen(true);
      }
      return;
    }
    const list = items(listRef.current);
    const target = targetOf(event.key, list);
    if (target) {
      event.preventDefault();
      target.focus();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    } else if (event.key === 'Tab') {
      setOpen(false);
    }
  };
  return { open, toggle: () => setOpen(!open), close, rootRef, triggerRef, listRef, onKeyDown };
}

function items(list: HTMLElement | null): HTMLElement[] {
  return list ? [...list.querySelectorAll<HTMLElement>('[role^="menuitem"]')] : [];
}

function targetOf(key: string, list: HTMLElement[]): HTMLElement | undefined {
  const at = list.findIndex((item) => item.contains(document.activeElement));
  switch (key) {
    case 'ArrowDown':
      return list[(at + 1) % list.length];
    case 'ArrowUp':
      return list.at(at <= 0 ? -1 : at - 1);
    case 'Home':
      return list[0];
    case 'End':
      return list.at(-1);
    default:
      return undefined;
  }
}
