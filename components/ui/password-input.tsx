'use client';
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { Icon } from './icon';
import { Input } from './input';

/** A password field with an eye that shows what was typed. */
export function PasswordInput(props: Omit<ComponentProps<typeof Input>, 'type' | 'suffix'>) {
  const [shown, setShown] = useState(false);
  const toggle = (
    <button
      type="button"
      aria-label={shown ? 'Nascondi la password' : 'Mostra la password'}
      aria-pressed={shown}
      onClick={() => setShown(!shown)}
      className="-mr-1.5 grid size-7 place-items-center rounded-sm text-ink-3 transition-colors hover:text-accent"
    >
      <Icon icon={shown ? EyeOff : Eye} />
    </button>
  );
  return <Input {...props} type={shown ? 'text' : 'password'} suffix={toggle} />;
}
