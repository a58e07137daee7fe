import { expect } from '@playwright/test';
import { callApi } from '../support/call-api';
import { test } from '../support/test';

test('a path that looks like a file has the headers of a page, and so has whatever else is answered', async ({
  instance,
}) => {
  const page = await callApi(instance.url, '/login');
  const [script = ''] = /\/_next\/static\/[^"]+\.js/.exec(String(page.body)) ?? [];
  expect(script).not.toBe('');
  const pages = [
    ...[
      '/invoices/1.png',
      '/pay/x.svg',
      '/wallets/1.ico',
      '/a.txt',
      '/favicon.ico.txt',
      '/favicon.ico/x',
      '/x/icon.svg',
    ],
    ...['/invoices/favicon.ico', '/_next/data/build/invoices/1.json', '/non-esiste', '/robots.txt'],
  ];
  const files = ['/favicon.ico', '/icon.svg', script, '/_next/static/niente.js'];
  const others = [
    '/_next/image?url=%2Ficon.svg&w=64&q=75',
    '/_next/niente',
    '/api',
    '/api/niente.png',
    '/api/invoices/1.png',
  ];
  for (const path of [...pages, ...files, ...others]) {
    const { headers } = await callApi(instance.url, path);
    const policy = headers.get('content-security-policy') ?? '';
    // Two policies would be joined by a comma, and a browser obeys both.
    expect([path, policy.includes("frame-ancestors 'none'"), policy.includes(',')]).toEqual([path, true, false]);
    expect(headers.get('x-frame-options'), path).toBe('DENY');
    expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(headers.get('referrer-policy'), path).toBe('no-referrer');
    expect(headers.get('strict-transport-security'), path).toBeNull();
    const isHtml = headers.get('content-type')?.startsWith('text/html') ?? false;
    if (pages.includes(path)) expect([path, isHtml]).toEqual([path, true]);
    if (isHtml) expect(policy, path).toContain("'nonce-");
    if (files.slice(0, 3).includes(path))
      expect([path, policy]).toEqual([path, "default-src 'none'; frame-ancestors 'none'"]);
  }
});
