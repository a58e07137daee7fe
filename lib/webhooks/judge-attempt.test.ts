import { expect, test } from 'vitest';
import type { Attempt } from './attempt';
import { judgeAttempt } from './judge-attempt';

const now = new Date('2026-11-27T12:00:00Z');
const attempt = (changes: Partial<Attempt>): Attempt => ({
  startedAt: now,
  durationMs: 5,
  httpStatus: null,
  errorCode: null,
  response: null,
  retryAfterSeconds: null,
  ...changes,
});

test.each([200, 201, 204, 299])('%i delivers', (httpStatus) => {
  expect(judgeAttempt(attempt({ httpStatus }), 1, now, 0)).toEqual({ status: 'delivered' });
});

test.each([301, 302, 307, 400, 401, 404, 429, 500, 503])('[D1] %i is tried again after 5 seconds', (httpStatus) => {
  const nextAttemptAt = new Date('2026-11-27T12:00:05Z');
  expect(judgeAttempt(attempt({ httpStatus }), 1, now, 0)).toEqual({ status: 'pending', nextAttemptAt });
});

test('no answer is tried again', () => {
  expect(judgeAttempt(attempt({ errorCode: 'timeout' }), 2, now, 0)).toMatchObject({ status: 'pending' });
});

test('[D1] 410 ends it at once', () => {
  expect(judgeAttempt(attempt({ httpStatus: 410 }), 1, now, 0)).toEqual({ status: 'failed', gone: true });
});

test('the eleventh failure is the last', () => {
  expect(judgeAttempt(attempt({ httpStatus: 500 }), 10, now, 0).status).toBe('pending');
  expect(judgeAttempt(attempt({ httpStatus: 500 }), 11, now, 0)).toEqual({ status: 'failed', gone: false });
});
