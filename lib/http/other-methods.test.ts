import { describe, expect, it } from 'vitest';
import { callRoute } from '@/testing/call-route';
import { otherMethods } from './other-methods';

describe('otherMethods', () => {
  it('refuses each method that the route lacks, as problem+json that names the ones it has', async () => {
    const others = otherMethods('GET', 'POST');
    expect(Object.keys(others)).toEqual(['HEAD', 'PUT', 'PATCH', 'DELETE']);
    const { status, headers, body } = await callRoute(others.PUT, { method: 'PUT' });
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, POST, OPTIONS']);
    expect(headers.get('x-request-id')).toBe(body.requestId);
  });
});
