import localFont from 'next/font/local';

/**
 * The Latin part of the face, preloaded on every page. Letters beyond it come from the package's own style sheet, which
 * the browser asks for only when a text needs them (globals.css).
 */
export const sansFont = localFont({
  src: '../../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
  weight: '400 700',
  display: 'swap',
  variable: '--font-sans-latin',
  adjustFontFallback: false,
});
