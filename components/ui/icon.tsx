import type { LucideIcon } from 'lucide-react';

interface IconProps {
  icon: LucideIcon;
  /** Pixels; 14 px icons get the heavier stroke. */
  size?: 14 | 16 | 18 | 20 | 24;
  className?: string;
  /** Name for people, only where no word stands beside the icon. */
  label?: string;
}

/** A lucide icon in one of the house sizes, hidden from screen readers unless it has a label. */
export function Icon({ icon: Glyph, size = 16, className, label }: IconProps) {
  return (
    <Glyph
      size={size}
      strokeWidth={size === 14 ? 2 : 1.75}
      className={className}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    />
  );
}
