'use client';
import { Toaster as SonnerToaster } from 'sonner';

/** Where notifications appear: bottom right, full width at the bottom below 48rem. Mounted once per page. */
export function Toaster() {
  return (
    <SonnerToaster
      position="bottom-right"
      offset={24}
      mobileOffset={12}
      gap={8}
      visibleToasts={4}
      expand
      containerAriaLabel="Notifiche"
      toastOptions={{ unstyled: true, className: 'w-full md:w-88' }}
    />
  );
}
