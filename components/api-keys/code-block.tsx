import { useId } from 'react';

/** A titled piece of code; it scrolls by itself, also by keyboard, when it is too wide. */
export function CodeBlock({ title, code }: { title: string; code: string }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 grid-cols-1 gap-2">
      <h3 id={id} className="text-sm font-medium tracking-normal">
        {title}
      </h3>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-md bg-sunken px-3.5 py-3 text-xs/5"
      >
        <code>{code}</code>
      </pre>
    </section>
  );
}
