import { ChevronLeft } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Icon } from './icon';

interface PageHeadProps {
  /** The page's one `h1`. */
  title: ReactNode;
  /** A badge of size `lg` beside the title. */
  badge?: ReactNode;
  back?: { href: string; label: string };
  /** One grey sentence. */
  description?: ReactNode;
  /** Buttons; one of them primary at most. */
  actions?: ReactNode;
}

/** Head of a page: way back, title with badge, one sentence, actions on the right (a full row on phones). */
export function PageHead({ title, badge, back, description, actions }: PageHeadProps) {
  return (
    <div className="mb-4.5 md:mb-6">
      {back && (
        <Link
          href={back.href}
          className="-ml-1 mb-2.5 inline-flex min-h-6 items-center gap-1 text-sm font-medium text-ink-2 transition-colors hover:text-ink"
        >
          <Icon icon={ChevronLeft} />
          {back.label}
        </Link>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h1 className="text-xl font-semibold">{title}</h1>
            {badge}
          </div>
          {description && <p className="mt-1 text-ink-2">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:flex-1">{actions}</div>}
      </div>
    </div>
  );
}
