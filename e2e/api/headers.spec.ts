import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { callApi } from '../support/call-api';
import { expectProblem } from '../support/expect-problem';
import { test } from '../support/test';

const PAGES = [
  '/',
  '/login',
  '/register',
  '/dashboard',
  '/wallets',
  '/invoices',
  '/invoices/create',
  '/api-keys',
  '/docs/api',
];

test('[F5] every API answer, good or bad, is for its caller alone and cannot be read as anything else', async ({
  instance,
  merchant,
}) => {
  const { uuid } = await merchant.createInvoice();
  const answers = [
    await callApi(instance.url, '/api/health'),
    await merchant.call('/api/auth/me'),
    await merchant.call(`/api/invoices/${uuid}`),
    await callApi(instance.url, `/api/invoices/public/${uuid}`),
    await callApi(instance.url, '/api/auth/me'),
    await callApi(instance.url, '/api/niente'),
    await callApi(instance.url, '/api/auth/login', { text: '{' }),
  ];
  for (const { headers } of answers) {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(/\S{8,}/);
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('[F4][F5] every page has a policy of its own, cannot be framed, and is not kept by caches', async ({
  instance,
  merchant,
}) => {
  const { uuid } = await merchant.createInvoice();
  const paths = [...PAGES, `/pay/${uuid}`, `/pay/${randomUUID()}`, '/non-esiste', `/invoices/${uuid}`];
  const nonces = new Set<string>();
  for (const path of paths) {
    const { status, headers, body } = await callApi(instance.url, path);
    expect(status, path).toBe(path === '/non-esiste' ? 404 : 200);
    const policy = headers.get('content-security-policy') ?? '';
    for (const directive of ["object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"]) {
      expect(policy, path).toContain(directive);
    }
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
    expect(nonce).not.toBe('');
    nonces.add(nonce);
    const scripts = String(body).match(/<script\b[^>]*>/g) ?? [];
    expect(
      scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`)),
      path,
    ).toEqual([]);
    expect(String(body), path).not.toMatch(/<[^>]+ style="/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control'), path).toContain('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('set-cookie')).toBeNull();
  }
  expect(nonces.size).toBe(paths.length);
});

test('an event stream begins with the invoice as it is, and no proxy may repack it', async ({ instance, merchant }) => {
  const { uuid } = await merchant.createInvoice();
  const leave = new AbortController();
  const response = await fetch(`${instance.url}/api/invoices/public/${uuid}/events`, { signal: leave.signal });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(response.headers.get('cache-control')).toContain('no-transform');
  expect(response.headers.get('cache-control')).toContain('no-store');
  const first = await response.body?.getReader().read();
  leave.abort();
  const text = new TextDecoder().decode(first?.value);
  expect(text).toMatch(/^event: invoice\ndata: \{/);
  expect(JSON.parse(text.split('\n')[1]?.slice('data: '.length) ?? '')).toMatchObject({ uuid, status: 'pending' });
});

/** Tricks that made Next skip its middleware or serve another's data (E10). */
const PROBES: Record<string, string> = {
  'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy',
  'x-middleware-prefetch': '1',
  'x-nextjs-data': '1',
  'next-router-prefetch': '1',
  'next-router-segment-prefetch': '/_tree',
  rsc: '1',
  'x-forwarded-host': 'ladro.example',
  'x-original-url': '/api/auth/me',
  'x-rewrite-url': '/api/auth/me',
  'x-matched-path': '/api/health',
  'x-invoke-path': '/api/health',
  'x-now-route-matches': '1=x',
};

test('[E10] no header of Next’s own opens the API to a caller without a token', async ({ instance, merchant }) => {
  const { uuid } = await merchant.createInvoice();
  for (const [name, value] of Object.entries(PROBES)) {
    for (const path of ['/api/auth/me', '/api/invoices', `/api/invoices/${uuid}`, '/api/wallets', '/api/apikeys']) {
      const answer = await callApi(instance.url, path, { headers: { [name]: value } });
      // Next answers two of them itself, with an empty object and a redirect to the same path.
      if (answer.status === 200) expect(answer.body, `${path} ${name}`).toEqual({});
      else if (answer.status !== 307) expectProblem(answer, 'unauthorized');
    }
  }
});

test('[E10] no page, page payload or segment holds a merchant’s data, whatever a stranger asks with', async ({
  instance,
  merchant,
}) => {
  const secret = `Riservato ${randomUUID()}`;
  const invoice = await merchant.createInvoice({ description: secret, externalCode: secret });
  const wallet = await merchant.createWallet();
  const paths = [
    ...[`/invoices/${invoice.uuid}`, `/invoices/${invoice.id}`, `/wallets/${wallet.uuid}`, '/dashboard', '/api-keys'],
    ...[`/invoices/${invoice.uuid}.rsc`, `/invoices/${invoice.uuid}?_rsc=abc`, '/dashboard.rsc', '/index.rsc'],
    ...[`/invoices/${invoice.uuid}.segments/_tree.segment.rsc`, `/_next/data/build/invoices/${invoice.uuid}.json`],
    ...['/_next/image?url=/api/invoices&w=64&q=75', '/%61pi-keys', '//invoices', '/.env', '/_next/../.env'],
  ];
  const headerSets = [{}, ...Object.entries(PROBES).map(([name, value]) => ({ [name]: value }))];
  for (const path of paths) {
    for (const headers of headerSets) {
      const { status, body } = await callApi(instance.url, path, { headers });
      expect(status, `${path} ${JSON.stringify(headers)}`).toBeLessThan(500);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      expect(text).not.toContain(secret);
      expect(text).not.toContain(merchant.user.email);
      expect(text).not.toContain(wallet.address);
    }
  }
});

test('[E10] a page keeps its policy under every header that could make Next skip it', async ({
  instance,
  merchant,
}) => {
  const { uuid } = await merchant.createInvoice();
  for (const [name, value] of Object.entries(PROBES)) {
    for (const path of ['/login', `/pay/${uuid}`]) {
      const { headers } = await callApi(instance.url, path, { headers: { [name]: value } });
      expect(headers.get('content-security-policy') ?? '', `${path} ${name}`).toContain("frame-ancestors 'none'");
    }
  }
});

test('[E10] the id of a path cannot be swapped by a parameter of Next’s own', async ({ instance, merchant }) => {
  const [one, two] = [await merchant.createInvoice(), await merchant.createInvoice()];
  for (const name of ['nxtPid', 'id', '_nextParams', 'nextInternalLocale', '__nextPath']) {
    const { body } = await callApi(instance.url, `/api/invoices/public/${one.uuid}?${name}=${two.uuid}`);
    expect(body).toMatchObject({ uuid: one.uuid });
    const page = await callApi(instance.url, `/pay/${one.uuid}?${name}=${two.uuid}`);
    expect(String(page.body)).toContain(one.wallet?.address);
    expect(String(page.body)).not.toContain(two.wallet?.address);
  }
});

test('a form that comes from another site, or from no page of ours, changes nothing', async ({
  instance,
  merchant,
}) => {
  const { uuid } = await merchant.createInvoice({ cryptoType: null });
  const forgeries: Record<string, string>[] = [
    { origin: 'https://ladro.example', 'next-action': '0'.repeat(42) },
    { origin: 'https://ladro.example' },
    { 'next-action': '0'.repeat(42) },
  ];
  for (const headers of forgeries) {
    const text = new URLSearchParams({ uuid, email: 'ladro@ladro.example' }).toString();
    const contentType = { 'content-type': 'application/x-www-form-urlencoded' };
    await callApi(instance.url, `/pay/${uuid}`, { method: 'POST', text, headers: { ...contentType, ...headers } });
  }
  expect((await merchant.invoice(uuid)).email).toBeNull();
});
