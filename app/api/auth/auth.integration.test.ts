import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SessionView, UserView } from '@/lib/api-schema/auth';
import { hashPassword } from '@/lib/auth/password';
import { prismaOf } from '@/lib/db/prisma';
import { PEER_HEADER } from '@/lib/http/watch-requests';
import { callRoute, type RouteAnswer } from '@/testing/call-route';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { POST as login } from './login/route';
import { POST as logout } from './logout/route';
import { GET as me } from './me/route';
import { POST as register } from './register/route';

const COMMON = 'Questa password è tra le più usate e si indovina subito: scegline un’altra.';
const PERSONAL = 'La password non può essere il tuo nome o la tua email.';
const PASSWORD = 'correct horse battery';
let database: TestDatabase;
let people = 0;
let callers = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  stubWebEnvironment(database.roleUrl('web'));
});
afterAll(() => database.drop());

/** A person of one's own for each test. */
function person() {
  people += 1;
  return { name: `Persona ${people}`, email: `persona${people}@example.it`, password: PASSWORD };
}

/** An address of one's own for each call: limits are for other tests. */
function fromAnywhere() {
  callers += 1;
  return { [PEER_HEADER]: `198.51.${Math.floor(callers / 250)}.${1 + (callers % 250)}` };
}

async function registered() {
  const fields = person();
  const answer = await callRoute(register, { json: fields, headers: fromAnywhere() });
  return { ...fields, ...SessionView.parse(answer.body) };
}

async function expectRefusal(answer: RouteAnswer, status: number, code: string, message?: string) {
  expect(answer).toMatchObject({ status, body: { code, ...(message && { message }) } });
}

async function countUsers(email: string): Promise<number> {
  return prismaOf(database.db).user.count({ where: { email } });
}

describe('POST /api/auth/register', () => {
  it('[S7.1-03] [S7.1-04] makes an account, signs it in and answers with both names of the token', async () => {
    const fields = person();
    const { status, body } = await callRoute(register, { json: fields, headers: fromAnywhere() });
    const session = SessionView.parse(body);
    expect(status).toBe(201);
    expect(session.access_token).toBe(session.token);
    expect(session.user).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      name: fields.name,
      email: fields.email,
      isAdmin: false,
    });
    expect(await callRoute(me, { token: session.token })).toMatchObject({ status: 200, body: session.user });
  });

  it('stores argon2id with the agreed cost, never the password', async () => {
    const { email } = await registered();
    const row = await prismaOf(database.db).user.findUniqueOrThrow({ where: { email } });
    expect(row.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(row)).not.toContain(PASSWORD);
  });

  it('ignores fields that are not for the caller to set (mass assignment)', async () => {
    const fields = person();
    const extra = { isAdmin: true, is_admin: true, id: 1, uuid: 'x', userId: 1, disabledAt: null, passwordHash: 'x' };
    const { body } = await callRoute(register, { json: { ...fields, ...extra }, headers: fromAnywhere() });
    expect(SessionView.parse(body).user).toMatchObject({ isAdmin: false });
    const row = await prismaOf(database.db).user.findUniqueOrThrow({ where: { email: fields.email } });
    expect([row.isAdmin, row.passwordHash === 'x']).toEqual([false, false]);
  });

  it('takes one email once, however it is written', async () => {
    const first = await registered();
    const again = await callRoute(register, { json: { ...person(), email: `  ${first.email.toUpperCase()} ` } });
    await expectRefusal(again, 409, 'email_taken', 'Esiste già un account con questa email.');
    expect(again.body.errors).toMatchObject([{ pointer: '/email' }]);
    expect(await countUsers(first.email)).toBe(1);
  });

  it('lets exactly one of 8 simultaneous registrations of one email through', async () => {
    const fields = person();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => callRoute(register, { json: fields, headers: fromAnywhere() })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await countUsers(fields.email)).toBe(1);
    const user = await prismaOf(database.db).user.findUniqueOrThrow({ where: { email: fields.email } });
    expect(await prismaOf(database.db).session.count({ where: { userId: user.id } })).toBe(1);
  });

  it.each([
    [{ name: '' }, 'Tutti i campi sono obbligatori'],
    [{ email: undefined }, 'Tutti i campi sono obbligatori'],
    [{ password: null }, 'Tutti i campi sono obbligatori'],
    [{ name: 12 }, 'Tutti i campi sono obbligatori'],
    [{ name: ['a'] }, 'Tutti i campi sono obbligatori'],
    [{ email: 'not an email' }, 'Inserisci un indirizzo email valido'],
    [{ email: `${'x'.repeat(250)}@example.it` }, 'Email troppo lunga.'],
    [{ password: 'short' }, 'La password deve avere almeno 8 caratteri.'],
    [{ password: 'x'.repeat(129) }, 'La password può avere al massimo 128 caratteri.'],
    [{ name: 'a\u0000b' }, 'Il testo contiene caratteri non ammessi.'],
    [{ password: ' '.repeat(12) }, 'La password non può essere fatta di soli spazi.'],
    [{ password: '\t\u00a0\u2003 \n\t  ' }, 'La password non può essere fatta di soli spazi.'],
    [{ password: 'password1' }, COMMON],
    [{ password: ' PassWord1' }, COMMON],
    [{ password: '1234567890' }, COMMON],
    [{ password: 'juventus' }, COMMON],
    [{ name: 'Bottega Marani', password: 'bottegamarani' }, PERSONAL],
    [{ email: 'Elena.Marani@example.it', password: 'ELENA.marani@example.it' }, PERSONAL],
    [{ email: 'elena.marani@example.it', password: 'elena.marani' }, PERSONAL],
  ])('refuses %j in Italian and stores nothing', async (change, message) => {
    const fields = { ...person(), ...change };
    const before = await prismaOf(database.db).user.count();
    await expectRefusal(
      await callRoute(register, { json: fields, headers: fromAnywhere() }),
      422,
      'invalid_request',
      message,
    );
    expect(await prismaOf(database.db).user.count()).toBe(before);
  });

  it('stores a name full of markup and quotes as it is', async () => {
    const fields = { ...person(), name: `<script>alert(1)</script> "D'Angelo"; DROP TABLE session;--` };
    const { body } = await callRoute(register, { json: fields, headers: fromAnywhere() });
    expect(SessionView.parse(body).user.name).toBe(fields.name);
  });
});

describe('POST /api/auth/login', () => {
  it('lets in whoever chose a common, blank or personal password before these were refused', async () => {
    for (const password of ['password1', ' '.repeat(12), 'persona@example.it']) {
      const { email } = await registered();
      await prismaOf(database.db).user.update({
        where: { email },
        data: { passwordHash: await hashPassword(password) },
      });
      expect(await callRoute(login, { json: { email, password } })).toMatchObject({ status: 200 });
    }
  });

  it('[S7.1-01] [S7.1-02] opens another session; the email may be written in capitals', async () => {
    const first = await registered();
    const answer = await callRoute(login, { json: { email: first.email.toUpperCase(), password: PASSWORD } });
    const session = SessionView.parse(answer.body);
    expect(answer.status).toBe(200);
    expect(session.user).toEqual(first.user);
    expect(session.token).not.toBe(first.token);
    for (const token of [first.token, session.token])
      expect(await callRoute(me, { token })).toMatchObject({ status: 200 });
  });

  it('[S5.1-01] [S5.1-02] asks for both fields', async () => {
    for (const json of [
      {},
      { email: 'a@b.it' },
      { password: 'x' },
      { email: '', password: '' },
      { email: 1, password: true },
    ])
      await expectRefusal(await callRoute(login, { json }), 422, 'invalid_request', 'Inserisci email e password');
  });

  it('says the same of a wrong password, an unknown email and a disabled account', async () => {
    const [wrong, disabled] = [await registered(), await registered()];
    await prismaOf(database.db).user.update({ where: { email: disabled.email }, data: { disabledAt: new Date() } });
    const answers = [
      await callRoute(login, { json: { email: wrong.email, password: 'not the password' } }),
      await callRoute(login, { json: { email: 'nobody@example.it', password: PASSWORD } }),
      await callRoute(login, { json: { email: disabled.email, password: PASSWORD } }),
    ];
    for (const answer of answers)
      await expectRefusal(answer, 401, 'invalid_credentials', 'Email o password non corretti.');
    const shapes = answers.map(({ body }) => JSON.stringify({ ...body, requestId: '' }));
    expect(new Set(shapes).size).toBe(1);
  });

  it('works as long for an unknown email as for a wrong password (E9)', async () => {
    const { email } = await registered();
    const timed = async (of: string) => {
      const startedAt = performance.now();
      await callRoute(login, { json: { email: of, password: 'not the password' } });
      return performance.now() - startedAt;
    };
    const times: { wrong: number[]; unknown: number[] } = { wrong: [], unknown: [] };
    // In turns, so that a busy machine slows both alike.
    for (let n = 0; n < 9; n++) {
      times.wrong.push(await timed(email));
      times.unknown.push(await timed('nobody2@example.it'));
    }
    const median = (all: number[]) => all.sort((x, y) => x - y)[4] ?? 0;
    expect(median(times.unknown) / median(times.wrong)).toBeGreaterThan(0.5);
    expect(median(times.unknown) / median(times.wrong)).toBeLessThan(2);
  });

  it('stops a guesser after 10 wrong passwords, with the wait; a right one counts nothing', async () => {
    const { email } = await registered();
    for (let n = 0; n < 3; n++)
      expect(await callRoute(login, { json: { email, password: PASSWORD } })).toMatchObject({ status: 200 });
    for (let n = 0; n < 10; n++)
      await expectRefusal(
        await callRoute(login, { json: { email, password: `guess ${n}` } }),
        401,
        'invalid_credentials',
      );
    const stopped = await callRoute(login, { json: { email, password: PASSWORD } });
    await expectRefusal(stopped, 429, 'too_many_requests', 'Troppe richieste: riprova tra poco.');
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(600);
    expect(stopped.headers.get('ratelimit')).toContain('"login-email-address";r=0;t=');
    expect(stopped.headers.get('ratelimit-policy')).toContain('"login-email-address";q=10;w=900');
    const other = await registered();
    expect(await callRoute(login, { json: { email: other.email, password: PASSWORD } })).toMatchObject({ status: 200 });
  });

  it('keeps no email in the table of counts', async () => {
    const { rows } = await database.db.pool.query('SELECT key FROM rate_limit');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('@');
  });
});

describe('sessions', () => {
  it('[S7.1-05] end with logout, at once and only the one (E6)', async () => {
    const first = await registered();
    const second = SessionView.parse(
      (await callRoute(login, { json: { email: first.email, password: PASSWORD } })).body,
    );
    expect(await callRoute(logout, { method: 'POST', token: first.token })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    await expectRefusal(await callRoute(me, { token: first.token }), 401, 'unauthorized');
    await expectRefusal(await callRoute(logout, { method: 'POST', token: first.token }), 401, 'unauthorized');
    expect(await callRoute(me, { token: second.token })).toMatchObject({ status: 200 });
  });

  it('[S7.1-07] GET /api/auth/me answers with the user as the body', async () => {
    const { token, user } = await registered();
    expect(UserView.strict().parse((await callRoute(me, { token })).body)).toEqual(user);
  });

  it('end when the user is disabled, when the week is over, and when the token is not ours', async () => {
    const [disabled, old] = [await registered(), await registered()];
    await prismaOf(database.db).user.update({ where: { email: disabled.email }, data: { disabledAt: new Date() } });
    await prismaOf(database.db).session.updateMany({ where: { userId: old.user.id }, data: { expiresAt: new Date() } });
    for (const token of [disabled.token, old.token, 'forged', `${old.token}x`])
      await expectRefusal(await callRoute(me, { token }), 401, 'unauthorized');
    for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${old.token}`, 'Bearer a b'])
      await expectRefusal(await callRoute(me, { headers: { Authorization: authorization } }), 401, 'unauthorized');
  });

  it('live 7 days from the login', async () => {
    const { user } = await registered();
    const [session] = await prismaOf(database.db).session.findMany({ where: { userId: user.id } });
    expect(Number(session?.expiresAt) - Number(session?.createdAt)).toBe(7 * 24 * 3600 * 1000);
  });

  it('of a user that are over are cleared away at the next login', async () => {
    const { email, user } = await registered();
    await prismaOf(database.db).session.updateMany({ where: { userId: user.id }, data: { expiresAt: new Date() } });
    await callRoute(login, { json: { email, password: PASSWORD } });
    expect(await prismaOf(database.db).session.count({ where: { userId: user.id } })).toBe(1);
  });
});
