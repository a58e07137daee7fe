import { afterAll, beforeAll, expect, it } from 'vitest';
import { prismaOf } from '@/lib/db/prisma';
import { callRoute } from '@/testing/call-route';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { POST as register } from './register/route';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  stubWebEnvironment(database.roleUrl('web'), { REGISTRATION: 'closed' });
});
afterAll(() => database.drop());

it('REGISTRATION=closed lets nobody in', async () => {
  const json = { name: 'A', email: 'a@example.it', password: 'long enough' };
  const answer = await callRoute(register, { json });
  expect(answer).toMatchObject({
    status: 403,
    body: { code: 'registration_closed', message: 'Le registrazioni sono chiuse.' },
  });
  expect(await prismaOf(database.db).user.count()).toBe(0);
});
