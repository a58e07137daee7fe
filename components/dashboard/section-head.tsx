import Link from 'next/link';

interface SectionHeadProps {
  id: string;
  title: string;
  href: string;
  /** Text of the link at the right. */
  link: string;
}

/** Title and link over one of the sheet's lists. */
export function SectionHead({ id, title, href, link }: SectionHeadProps) {
  return (
    <div className="flex min-h-13 items-center justify-between gap-4 px-4 py-3 md:px-5">
      <h2 id={id} className="text-[0.9375rem]/5">
        {title}
      </h2>
      <Link href={href} className="link text-sm">
        {link}
      </Link>
    </div>
  );
}
