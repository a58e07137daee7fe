import type { NextConfig } from 'next';

/**
 * Headers of every answer, whatever it answers. Pages get a policy with a nonce from `proxy.ts` in the place of this one
 * (Next keeps one value per name, and the proxy's comes last); scripts, style sheets and pictures need none.
 */
const EVERY_ANSWER = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'no-referrer' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" },
];
const NOT_KEPT = [{ key: 'Cache-Control', value: 'no-store' }];

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks the types of the whole tree; the build, which `npm start` waits for, does not do it again.
  typescript: { ignoreBuildErrors: true },
  // The forms of the pay page, which Next reads before we can look at them.
  experimental: { serverActions: { bodySizeLimit: '64kb' } },
  serverExternalPackages: ['pg', 'undici', '@node-rs/argon2', 'pino', 'pino-pretty', 'ethers'],
  async headers() {
    return [
      { source: '/:path*', headers: EVERY_ANSWER },
      { source: '/api/:path*', headers: NOT_KEPT },
      // These headers win over a route's own: a stream must also not be repacked on its way.
      { source: '/api/:path*/events', headers: [{ key: 'Cache-Control', value: 'no-store, no-transform' }] },
    ];
  },
};

export default config;
