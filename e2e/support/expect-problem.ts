import { expect } from '@playwright/test';
import { Problem } from '@/lib/api-schema/problem';
import { ERROR_STATUS, type ErrorCode } from '@/lib/shared/errors';
import type { ApiAnswer } from './call-api';

/** Words that give an English sentence away: messages are for people in Italy. */
const ENGLISH = /\b(the|is|not|invalid|must|required|expected|received|found|error|request|string|number|too)\b/i;

/**
 * Expects the refusal that every integrator can rely on: status, problem+json, stable code, an Italian message, and a
 * request id that is also in the header.
 *
 * @returns the problem, for what else a test wants of it
 */
export function expectProblem(answer: ApiAnswer, code: ErrorCode, message?: string): Problem {
  const problem = Problem.parse(answer.body);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect({ code: problem.code, status: answer.status }).toEqual({ code, status: ERROR_STATUS[code] });
  expect(problem.status).toBe(answer.status);
  expect(problem.message).toMatch(/\w{3,}/);
  expect(problem.message).not.toMatch(ENGLISH);
  if (message !== undefined) expect(problem.message).toBe(message);
  expect(problem.requestId).toMatch(/\S{8,}/);
  expect(answer.headers.get('x-request-id')).toBe(problem.requestId);
  return problem;
}
