import { type NextRequest, NextResponse } from 'next/server';
import { TOAST_STYLE_HASHES } from '@/components/ui/toast-style-hashes';

/**
 * Gives every page a nonce and its security headers. Next reads the policy from the request and puts the nonce on its
 * own scripts; the root layout reads `x-nonce`. The API's headers stand in next.config.ts.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.randomUUID()).toString('base64');
  const policy = contentSecurityPolicy(nonce);

  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);

  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  response.headers.set('X-Content-Type-Options', 'nosniff');
  response.headers.set('Referrer-Policy', 'no-referrer');
  response.headers.set('X-Frame-Options', 'DENY');
  response.headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  return response;
}

/** No inline script or style but those with the nonce; no `style` attributes in what the server renders. */
function contentSecurityPolicy(nonce: string): string {
  const styleHashes = TOAST_STYLE_HASHES.map((hash) => `'${hash}'`).join(' ');
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}' ${styleHashes}`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Pages only: not the API, not built assets, not files of `public/`. */
export const config = { matcher: ['/((?!api/|_next/static/|_next/image|.*\\.(?:svg|png|ico|txt)$).*)'] };
