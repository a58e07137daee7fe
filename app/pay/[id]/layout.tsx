import type { ReactNode } from 'react';
import { Brand } from '@/components/layout/brand';
import { Toaster } from '@/components/ui/toast';

/** Frame of the public page: larger type, one column, the product's name at the foot. */
export default function PayLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-3 pt-4 pb-5 text-md md:px-6 md:pt-[clamp(2rem,6vh,4rem)] md:pb-6">
      <main className="w-full max-w-240">{children}</main>
      <footer className="mt-auto flex w-full max-w-240 justify-center pt-8 text-ink-2 md:justify-end">
        <Brand size="sm" />
      </footer>
      <Toaster />
    </div>
  );
}
