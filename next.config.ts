import type { NextConfig } from 'next';

/** Headers of every API answer: pages get theirs, with a nonce, from `proxy.ts`. */
const API_HEADERS = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Cache-Control', value: 'no-store' },
  { key: 'Referrer-Policy', value: 'no-referrer' },
  { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" },
];

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks the types of the whole tree; the build, which `npm start` waits for, does not do it again.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['pg', 'undici', '@node-rs/argon2', 'pino', 'pino-pretty', 'ethers'],
  async headers() {
    return [
      { source: '/api/:path*', headers: API_HEADERS },
      // These headers win over a route's own: a stream must also not be repacked on its way.
      { source: '/api/:path*/events', headers: [{ key: 'Cache-Control', value: 'no-store, no-transform' }] },
    ];
  },
};

export default config;
