import { describe, expect, it, vi } from 'vitest';
import { forwardingCheck, restoreHost } from './proxy-headers';

const PUBLIC = 'https://cassa.example';

function restored(headers: Record<string, string>) {
  const given = { ...headers };
  restoreHost(given, PUBLIC);
  return given;
}

describe('restoreHost', () => {
  it('puts the public host where a proxy put its own name, for a form of the public address', () => {
    expect(restored({ host: '127.0.0.1:3000', origin: PUBLIC })).toEqual({ host: 'cassa.example', origin: PUBLIC });
    expect(restored({ host: 'web', 'x-forwarded-host': 'inner', origin: PUBLIC })).toEqual({
      host: 'cassa.example',
      origin: PUBLIC,
    });
  });

  it('believes a browser that says that page and target are of one origin, whatever the address is', () => {
    const origin = 'https://cassa.lan:8443';
    const { host } = restored({ host: '127.0.0.1:3000', origin, 'sec-fetch-site': 'same-origin' });
    expect(host).toBe('cassa.lan:8443');
  });

  it.each<Record<string, string>>([
    { origin: 'https://ladro.example' },
    { origin: 'https://ladro.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://altro.cassa.example', 'sec-fetch-site': 'same-site' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    { origin: 'data:text/html,x', 'sec-fetch-site': 'same-origin' },
    { origin: 'nonsense' },
    {},
  ])('leaves the host as it came for %o, so that what is foreign stays refused', (headers) => {
    const given = { host: '127.0.0.1:3000', 'x-forwarded-host': 'inner', ...headers };
    expect(restored(given)).toEqual(given);
  });
});

describe('forwardingCheck', () => {
  it.each([undefined, 0])('warns once when X-Forwarded-For arrives and %s proxies are trusted', (trusted) => {
    const warn = vi.fn();
    const check = forwardingCheck(trusted, warn);
    check({});
    expect(warn).not.toHaveBeenCalled();
    for (let at = 0; at < 3; at++) check({ 'x-forwarded-for': '198.51.100.7' });
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('TRUSTED_PROXIES'));
  });

  it('says nothing where a proxy is trusted', () => {
    const warn = vi.fn();
    forwardingCheck(1, warn)({ 'x-forwarded-for': '198.51.100.7' });
    expect(warn).not.toHaveBeenCalled();
  });
});
