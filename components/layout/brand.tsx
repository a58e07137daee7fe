import { classNames } from '@/components/ui/class-names';

/** The mark, a capital I cut by the slip's two notches, and the product's name. */
export function Brand({ size = 'md' }: { size?: 'sm' | 'md' }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center font-semibold',
        size === 'sm' ? 'gap-1.5 text-sm tracking-[-0.01em]' : 'gap-2.5 text-[1.0625rem]/6 tracking-[-0.02em]',
      )}
    >
      <svg
        viewBox="0 0 28 28"
        aria-hidden="true"
        className={classNames('text-accent', size === 'sm' ? 'size-4.5' : 'size-7')}
      >
        <path
          fill="currentColor"
          d="M5 1h18a4 4 0 0 1 4 4v2.7a1 1 0 0 1-.9 1 5.3 5.3 0 0 0 0 10.6 1 1 0 0 1 .9 1V23a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4v-2.7a1 1 0 0 1 .9-1 5.3 5.3 0 0 0 0-10.6 1 1 0 0 1-.9-1V5a4 4 0 0 1 4-4z"
        />
        <g className="fill-surface">
          <circle cx="10.4" cy="14" r="1.05" />
          <circle cx="14" cy="14" r="1.05" />
          <circle cx="17.6" cy="14" r="1.05" />
        </g>
      </svg>
      Incassa
    </span>
  );
}
