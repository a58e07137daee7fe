'use client';
import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { type MenuEntry, MenuItem } from './menu-item';
import { useMenu } from './use-menu';

interface MenuProps {
  /** Accessible name of the trigger. */
  label: string;
  /** What the trigger shows. */
  trigger: ReactNode;
  triggerClassName?: string;
  /** Stands above the entries, is no entry itself. */
  header?: ReactNode;
  /** Entries in groups, with a hairline between groups. */
  groups: ReadonlyArray<readonly MenuEntry[]>;
  /** Edge of the trigger that the menu keeps to. */
  align?: 'left' | 'right';
  className?: string;
}

/** A button that opens a menu. Arrow keys, Home, End and Escape work as in a desktop menu. */
export function Menu({ label, trigger, triggerClassName, header, groups, align = 'right', className }: MenuProps) {
  const menu = useMenu();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the button and of the list inside bubble up to here
    <div ref={menu.rootRef} className={classNames('relative', className)} onKeyDown={menu.onKeyDown}>
      <button
        type="button"
        ref={menu.triggerRef}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={menu.open}
        onClick={menu.toggle}
        className={triggerClassName}
      >
        {trigger}
      </button>
      {menu.open && (
        <div
          className={classNames(
            'absolute top-full z-20 mt-1.5 w-max max-w-68 min-w-48 animate-fade rounded-lg border border-line bg-raised p-1.5 shadow-float',
            align === 'right' ? 'right-0' : 'left-0',
          )}
        >
          {header && <div className="-mx-1.5 -mt-1.5 mb-1.5 border-b border-line p-1.5">{header}</div>}
          <div ref={menu.listRef} role="menu" aria-label={label} className="grid gap-1">
            {groups.map((entries, index) => (
              <fieldset
                key={entries[0]?.key ?? index}
                className={classNames('grid gap-0.5', index > 0 && '-mx-1.5 border-t border-line px-1.5 pt-1')}
              >
                {entries.map((entry) => (
                  <MenuItem key={entry.key} entry={entry} onDone={menu.close} />
                ))}
              </fieldset>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
