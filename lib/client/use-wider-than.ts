import { useLayoutEffect, useState } from 'react';

/**
 * Watches the width of an element, for a list that is a table where columns fit and rows where they do not: only one of
 * the two is in the document.
 * @returns the `ref` for the element, and whether it is at least `widthPx` wide
 */
export function useWiderThan(widthPx: number): [ref: (element: HTMLElement | null) => void, isWide: boolean] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isWide, setIsWide] = useState(false);

  useLayoutEffect(() => {
    if (!element) return;
    const measure = () => setIsWide(element.clientWidth >= widthPx);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, widthPx]);
  return [setElement, isWide];
}
