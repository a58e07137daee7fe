import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError, apiFetch } from './api';
import { onDeadToken } from './session-token';
import { answerJson, startTestBrowser, type TestBrowser } from './test-browser';

const schema = z.object({ path: z.string() });
const dead: string[] = [];
onDeadToken((token) => dead.push(token));

let browser: TestBrowser;
afterEach(async () => {
  dead.length = 0;
  await browser.close();
});

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('the call should have failed with an ApiError');
  return error;
}

describe('apiFetch', () => {
  test('sends the stored token as a bearer header, and nothing when the call is public', async () => {
    browser = await startTestBrowser((request, response) => answerJson(response, 200, { path: request.url }));
    browser.storage.set('token', 'abc');
    await apiFetch('/wallets', { schema, fallback: 'x' });
    await apiFetch('/invoices/public/1', { schema, fallback: 'x', auth: 'none' });
    expect(browser.bearers).toEqual(['Bearer abc', null]);
  });

  test('leaves undefined query parameters out', async () => {
    browser = await startTestBrowser((request, response) => answerJson(response, 200, { path: request.url }));
    const answer = await apiFetch('/invoices', { schema, fallback: 'x', query: { page: 2, status: undefined } });
    expect(answer.path).toBe('/api/invoices?page=2');
  });

  test('[S8.1-01] a 401 for the token that was sent reports that token dead', async () => {
    browser = await startTestBrowser((_request, response) =>
      answerJson(response, 401, { message: 'Accesso richiesto.' }),
    );
    browser.storage.set('token', 'abc');
    const error = await failure(apiFetch('/wallets', { schema, fallback: 'x' }));
    expect(error).toMatchObject({ status: 401, message: 'Accesso richiesto.' });
    expect(dead).toEqual(['abc']);
  });

  test('a 401 of a call without a token is an error like others', async () => {
    browser = await startTestBrowser((_request, response) =>
      answerJson(response, 401, { code: 'invalid_credentials', message: 'Email o password non corretti.' }),
    );
    browser.storage.set('token', 'abc');
    const error = await failure(apiFetch('/auth/login', { schema, fallback: 'x', method: 'POST', auth: 'none' }));
    expect(error).toMatchObject({ code: 'invalid_credentials', message: 'Email o password non corretti.' });
    expect(dead).toEqual([]);
  });

  test('shows the server’s message, else the default text of the call', async () => {
    browser = await startTestBrowser((request, response) => {
      if (request.url === '/api/html') response.writeHead(502).end('<h1>Bad Gateway</h1>');
      else answerJson(response, 409, { code: 'wallet_exists', message: 'Hai già un wallet.' });
    });
    const fallback = 'Impossibile recuperare i wallet';
    expect(await failure(apiFetch('/x', { schema, fallback }))).toMatchObject({
      message: 'Hai già un wallet.',
      fromServer: true,
    });
    expect(await failure(apiFetch('/html', { schema, fallback }))).toMatchObject({
      status: 502,
      message: fallback,
      fromServer: false,
    });
  });

  test('an answer of another shape, and no answer at all, are errors with the default text', async () => {
    browser = await startTestBrowser((request, response) => {
      if (request.url === '/api/gone') request.socket.destroy();
      else answerJson(response, 200, { path: 5 });
    });
    expect(await failure(apiFetch('/x', { schema, fallback: 'F' }))).toMatchObject({
      code: 'invalid_response',
      message: 'F',
    });
    expect(await failure(apiFetch('/gone', { schema, fallback: 'F' }))).toMatchObject({
      status: 0,
      code: 'network_error',
      message: 'F',
    });
  });

  test('an aborted call rejects with the abort, not with an error for people', async () => {
    browser = await startTestBrowser((request, response) => answerJson(response, 200, { path: request.url }));
    const call = apiFetch('/x', { schema, fallback: 'F', signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });
});
