import { useSyncExternalStore } from 'react';
import { THEME_KEY } from './theme-key';

export type Theme = 'system' | 'light' | 'dark';

const listeners = new Set<() => void>();

/** The chosen theme and how to choose another; kept in this browser, and set before the first paint by the layout. */
export function useTheme(): { theme: Theme; setTheme: (theme: Theme) => void } {
  return { theme: useSyncExternalStore(subscribe, readTheme, () => 'system'), setTheme };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Without storage the choice lives as long as the page.
  }
  for (const listener of listeners) listener();
}
