import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import './globals.css';
import localFont from 'next/font/local';
import { THEME_KEY } from '@/lib/client/theme-key';

/**
 * The Latin part of the face, preloaded on every page. Letters beyond it come from the package's own style sheet, which
 * the browser asks for only when a text needs them (globals.css).
 */
const sansFont = localFont({
  src: '../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
  weight: '400 700',
  display: 'swap',
  variable: '--font-sans-latin',
  adjustFontFallback: false,
});

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

/** The pay page follows the customer's system; the choice of a merchant who opens it in the same browser is not his. */
const SCRIPT = `try{const t=localStorage.getItem(${JSON.stringify(THEME_KEY)});if((t==='light'||t==='dark')&&!location.pathname.startsWith('/pay/'))document.documentElement.dataset.theme=t}catch{}`;

/** Sets the chosen theme before the first paint. */
function ThemeScript({ nonce }: { nonce: string | undefined }) {
  // The browser hides the nonce from scripts, so React finds an empty one when it hydrates.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant text of ours
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SCRIPT }} />;
}
