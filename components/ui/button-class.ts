import { classNames } from './class-names';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet';
export type ButtonSize = 'sm' | 'md' | 'lg';

export interface ButtonLook {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Full width. */
  block?: boolean;
  /** Square, for a button that shows its icon alone. */
  iconOnly?: boolean;
}

const BASE =
  'inline-flex shrink-0 items-center justify-center whitespace-nowrap border font-medium transition-colors ' +
  'disabled:cursor-not-allowed aria-busy:cursor-progress';

/* Off is sunken and grey, never just faded; a busy button keeps its colours. */
const OFF =
  'disabled:not-aria-busy:border-line disabled:not-aria-busy:bg-sunken disabled:not-aria-busy:text-ink-3 ' +
  'disabled:not-aria-busy:shadow-none';

const VARIANT: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-hover',
  secondary: 'border-line-2 bg-surface shadow-card hover:border-line-strong hover:bg-hover active:bg-sunken',
  ghost: 'border-transparent text-ink-2 hover:bg-press hover:text-ink active:text-ink',
  danger: 'border-transparent bg-danger text-on-danger hover:bg-danger/90 active:bg-danger/85',
  'danger-quiet': 'border-line-2 bg-surface text-danger hover:border-danger hover:bg-danger-soft active:bg-danger-soft',
};

const SIZE: Record<ButtonSize, string> = {
  sm: 'h-control-sm gap-1.5 rounded-md text-sm',
  md: 'h-control-md gap-2 rounded-md text-base',
  lg: 'h-control-lg gap-2 rounded-control text-md',
};

const PADDING: Record<ButtonSize, string> = { sm: 'px-2.5', md: 'px-3.5', lg: 'px-5' };
const SQUARE: Record<ButtonSize, string> = { sm: 'w-control-sm', md: 'w-control-md', lg: 'w-control-lg' };

/** Classes of a button, shared by `Button` and `ButtonLink`. */
export function buttonClass(
  { variant = 'secondary', size = 'md', block, iconOnly }: ButtonLook,
  extra?: string,
): string {
  const padding = variant === 'ghost' && size === 'md' ? 'px-2.5' : PADDING[size];
  return classNames(
    BASE,
    VARIANT[variant],
    SIZE[size],
    iconOnly ? SQUARE[size] : padding,
    block && 'w-full',
    OFF,
    extra,
  );
}
