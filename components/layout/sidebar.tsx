import Link from 'next/link';
import { Brand } from './brand';
import { Navigation } from './navigation';

/** The desktop sidebar, 16rem wide, gone below the medium breakpoint. */
export function Sidebar() {
  return (
    <aside className="sticky top-0 hidden h-dvh w-64 flex-col border-r border-line px-3 pb-3 md:flex">
      <div className="flex h-16 shrink-0 items-center px-2.5">
        <Link href="/dashboard" className="flex rounded-sm">
          <Brand />
        </Link>
      </div>
      <Navigation />
    </aside>
  );
}
