import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answerJson, startTestBrowser, type TestBrowser } from './test-browser';

const USER = { id: 1, uuid: 'u', name: 'Giulia', email: 'g@example.com', isAdmin: false };

let browser: TestBrowser;
let answers: Record<string, (response: ServerResponse) => void>;

beforeEach(async () => {
  // Each test is a freshly loaded page.
  vi.resetModules();
  answers = {};
  browser = await startTestBrowser((request, response) => answers[request.url ?? '']?.(response) ?? response.destroy());
});
afterEach(() => browser.close());

async function loadPage() {
  const store = await import('./session');
  store.subscribeSession(() => {});
  return store;
}

describe('session', () => {
  test('starts as loading and is signed out at once without a stored token, with no call', async () => {
    const before = await import('./session');
    expect(before.readSession().status).toBe('loading');
    const store = await loadPage();
    await vi.waitFor(() => expect(store.readSession().status).toBe('signed-out'));
    expect(browser.bearers).toEqual([]);
  });

  test('a stored token brings its user back', async () => {
    browser.storage.set('token', 'abc');
    answers['/api/auth/me'] = (response) => answerJson(response, 200, USER);
    const store = await loadPage();
    await vi.waitFor(() => expect(store.readSession()).toEqual({ status: 'signed-in', user: USER }));
    expect(browser.bearers).toEqual(['Bearer abc']);
  });

  test.each([
    ['refused', (response: ServerResponse) => answerJson(response, 401, { message: 'no' })],
    ['broken', (response: ServerResponse) => answerJson(response, 500, {})],
    ['unreachable', (response: ServerResponse) => void response.destroy()],
  ])('a session check that is %s removes the token', async (_name, answer) => {
    browser.storage.set('token', 'abc');
    answers['/api/auth/me'] = answer;
    const store = await loadPage();
    await vi.waitFor(() => expect(store.readSession().status).toBe('signed-out'), { timeout: 5_000 });
    expect(browser.storage.has('token')).toBe(false);
  });

  test('a session check that is cut off keeps the token until a second one fails too', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    browser.storage.set('token', 'abc');
    const store = await loadPage();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    expect(store.readSession().status).toBe('loading');
    expect(browser.storage.get('token')).toBe('abc');
    answers['/api/auth/me'] = (response) => answerJson(response, 200, USER);
    vi.runAllTimers();
    vi.useRealTimers();
    await vi.waitFor(() => expect(store.readSession().status).toBe('signed-in'));
    expect(browser.bearers).toEqual(['Bearer abc', 'Bearer abc']);
  });

  test('logout removes user and token also when the call fails', async () => {
    const store = await loadPage();
    store.openSession('abc', USER);
    answers['/api/auth/logout'] = (response) => answerJson(response, 500, {});
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { signOut } = await import('./session');
    await signOut();
    expect(store.readSession().status).toBe('signed-out');
    expect(browser.storage.has('token')).toBe(false);
    expect(browser.bearers).toEqual(['Bearer abc']);
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });

  test('the device token of a sign-in outlives the session and is shown at the next one', async () => {
    const shown: unknown[] = [];
    answers['/api/auth/login'] = (response) => {
      shown.push(response.req.headers['x-device-token']);
      answerJson(response, 200, { access_token: 'abc', token: 'abc', device_token: `dev${shown.length}`, user: USER });
    };
    answers['/api/auth/logout'] = (response) => answerJson(response, 200, { success: true });
    await loadPage();
    const { signIn, signOut } = await import('./session');
    for (let n = 0; n < 3; n++) {
      await signIn({ email: 'g@example.com', password: 'x' });
      await signOut();
      expect(browser.storage.has('token')).toBe(false);
    }
    expect(shown).toEqual([undefined, 'dev1', 'dev2']);
  });

  test('a late refusal of an old token does not end a newer session', async () => {
    const store = await loadPage();
    store.openSession('new', USER);
    const { reportDeadToken } = await import('./session-token');
    reportDeadToken('old');
    expect(store.readSession().status).toBe('signed-in');
    reportDeadToken('new');
    expect(store.readSession().status).toBe('signed-out');
    expect(browser.storage.has('token')).toBe(false);
  });
});
