import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { sansFont } from '@/components/layout/sans-font';
import { ThemeScript } from '@/components/layout/theme-script';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Incassa', template: '%s · Incassa' },
  description: 'Prezzi in euro, incassi in crypto, direttamente nei tuoi wallet.',
  applicationName: 'Incassa',
  icons: { icon: '/icon.svg' },
  robots: { index: false, follow: false },
  formatDetection: { telephone: false, address: false, email: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f3f7f7' },
    { media: '(prefers-color-scheme: dark)', color: '#091113' },
  ],
};

/** Frame of every page. Rendered per request, so that also the 404 page carries the request's nonce. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  await connection();
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="it" className={sansFont.variable} suppressHydrationWarning>
      <head>
        <ThemeScript nonce={nonce} />
      </head>
      <body>{children}</body>
    </html>
  );
}
