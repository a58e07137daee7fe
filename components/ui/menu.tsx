'use client';
import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Check, type LucideIcon } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useRef } from 'react';
import { classNames } from './class-names';
import { Icon } from './icon';

interface MenuEntry {
  key: string;
  label: string;
  icon?: LucideIcon;
  /** Page to go to; else `onSelect` runs. */
  href?: string;
  onSelect?: () => void;
  /** Set for an entry of a choice: one of several is checked. All entries of its group are then such. */
  checked?: boolean;
  disabled?: boolean;
}

interface MenuProps {
  /** Accessible name of the trigger and of the menu. */
  label: string;
  /** What the trigger shows. */
  trigger: ReactNode;
  triggerClassName?: string;
  /** Stands above the entries, is no entry itself. */
  header?: ReactNode;
  /** Entries in groups, with a hairline between groups. */
  groups: ReadonlyArray<readonly MenuEntry[]>;
}

/** A button that opens a menu, which keeps to the button's right edge. What is chosen runs once the menu is gone. */
export function Menu({ label, trigger, triggerClassName, header, groups }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const chosen = useRef<MenuEntry>(undefined);
  const onOpenChangeComplete = (isOpen: boolean) => {
    const entry = chosen.current;
    chosen.current = undefined;
    if (isOpen || !entry) return;
    // A dialog that opens now gives the focus back to where it was: to the button, not to an entry that is gone.
    button.current?.focus();
    entry.onSelect?.();
  };
  const onChoose = (entry: MenuEntry) => {
    chosen.current = entry;
  };
  return (
    <BaseMenu.Root modal={false} onOpenChangeComplete={onOpenChangeComplete}>
      <BaseMenu.Trigger ref={button} aria-label={label} className={triggerClassName}>
        {trigger}
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner align="end" sideOffset={6} collisionPadding={8} className="z-20 outline-none">
          <BaseMenu.Popup className="w-max max-w-68 min-w-48 animate-fade rounded-lg border border-line bg-raised p-1.5 shadow-float outline-none">
            {header && <div className="-mx-1.5 -mt-1.5 mb-1.5 border-b border-line p-1.5">{header}</div>}
            <BaseMenu.List aria-label={label} className="grid gap-1 outline-none">
              {groups.map((entries, index) => (
                <Group
                  key={entries[0]?.key ?? index}
                  entries={entries}
                  onChoose={onChoose}
                  className={classNames('grid gap-0.5', index > 0 && '-mx-1.5 border-t border-line px-1.5 pt-1')}
                />
              ))}
            </BaseMenu.List>
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

interface GroupProps {
  entries: readonly MenuEntry[];
  onChoose: (entry: MenuEntry) => void;
  className: string;
}

function Group({ entries, onChoose, className }: GroupProps) {
  const items = entries.map((entry) => <Item key={entry.key} entry={entry} onChoose={() => onChoose(entry)} />);
  if (entries.every(({ checked }) => checked === undefined)) {
    return <BaseMenu.Group className={className}>{items}</BaseMenu.Group>;
  }
  return (
    <BaseMenu.RadioGroup value={entries.find(({ checked }) => checked)?.key ?? null} className={className}>
      {items}
    </BaseMenu.RadioGroup>
  );
}

function Item({ entry, onChoose }: { entry: MenuEntry; onChoose: () => void }) {
  const { key, label, icon, href, checked, disabled = false } = entry;
  const className = classNames(
    'flex min-h-9 w-full items-center gap-2.5 rounded-md px-2.5 py-1 text-left -outline-offset-2 transition-colors max-md:min-h-11',
    disabled ? 'cursor-not-allowed text-ink-3' : 'cursor-pointer text-ink data-highlighted:bg-press',
  );
  const content = (
    <>
      {icon && <Icon icon={icon} className="text-ink-3" />}
      <span className="min-w-0 flex-1">{label}</span>
      {checked && <Icon icon={Check} className="text-accent" />}
    </>
  );
  if (href !== undefined) {
    return (
      <BaseMenu.LinkItem render={<Link href={href} />} closeOnClick className={className}>
        {content}
      </BaseMenu.LinkItem>
    );
  }
  if (checked !== undefined) {
    return (
      <BaseMenu.RadioItem value={key} disabled={disabled} closeOnClick onClick={onChoose} className={className}>
        {content}
      </BaseMenu.RadioItem>
    );
  }
  return (
    <BaseMenu.Item disabled={disabled} onClick={onChoose} className={className}>
      {content}
    </BaseMenu.Item>
  );
}
