import { type NextRequest, NextResponse } from 'next/server';
import { TOAST_STYLE_HASHES } from '@/components/ui/toast-style-hashes';

/**
 * Gives every page a nonce and its security headers. Next reads the policy from the request and puts the nonce on its
 * own scripts; the root layout reads `x-nonce`. They replace those of next.config.ts, which every answer has.
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

/**
 * All but the API, built assets and the files of `public/`, each by its whole name: a path that only looks like a file may
 * be a page. What is left out has the headers of next.config.ts.
 */
export const config = { matcher: ['/((?!api/|_next/static/|favicon\\.ico$|icon\\.svg$).*)'] };
