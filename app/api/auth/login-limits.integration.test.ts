import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SessionView } from '@/lib/api-schema/auth';
import { PEER_HEADER } from '@/lib/http/watch-requests';
import { callRoute, type RouteAnswer } from '@/testing/call-route';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { POST as login } from './login/route';
import { POST as register } from './register/route';

const PASSWORD = 'correct horse battery';
let database: TestDatabase;
let addresses = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  stubWebEnvironment(database.roleUrl('web'));
});
afterAll(() => database.drop());

/** An address that nobody had before. */
function newAddress(): string {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

interface From {
  address: string;
  device?: string;
}

async function owner() {
  const home = newAddress();
  const email = `${randomUUID()}@example.it`;
  const json = { name: 'Bottega', email, password: PASSWORD };
  const { body } = await callRoute(register, { json, headers: { [PEER_HEADER]: home } });
  return { email, home, device: SessionView.parse(body).device_token };
}

function signIn(email: string, { address, device }: From, password = PASSWORD): Promise<RouteAnswer> {
  const headers = { [PEER_HEADER]: address, ...(device && { 'X-Device-Token': device }) };
  return callRoute(login, { json: { email, password }, headers });
}

/** The busy queue is a refusal of its own, so a burst is as wide as it takes. */
async function guess(email: string, times: number, from: () => From, abreast = 20): Promise<RouteAnswer[]> {
  const answers: RouteAnswer[] = [];
  while (answers.length < times) {
    const burst = Array.from({ length: Math.min(abreast, times - answers.length) }, () =>
      signIn(email, from(), `guess ${randomUUID()}`),
    );
    answers.push(...(await Promise.all(burst)));
  }
  return answers;
}

const countRows = async () =>
  Number((await database.db.pool.query('SELECT count(*) AS n FROM rate_limit')).rows[0]?.n ?? 0);
const writes = async () => {
  const { rows } = await database.db.pool.query('SELECT sum(points) AS n FROM rate_limit');
  return Number(rows[0]?.n ?? 0);
};

/** Lets so many seconds pass, for the counts in this process and for those in the database. */
async function pass(seconds: number): Promise<void> {
  vi.advanceTimersByTime(seconds * 1000);
  await database.db.pool.query('UPDATE rate_limit SET expire = expire - $1::int8', [seconds * 1000]);
}

describe('110 wrong passwords in a moment', () => {
  it('from one address do not refuse the owner at a known address, nor in a known browser anywhere', async () => {
    const { email, home, device } = await owner();
    const attacker = newAddress();
    const answers = await guess(email, 110, () => ({ address: attacker }));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(await signIn(email, { address: home })).toMatchObject({ status: 200 });
    expect(await signIn(email, { address: newAddress(), device })).toMatchObject({ status: 200 });
  });

  it('from 110 addresses do not either, while one more stranger has to wait', async () => {
    const { email, home, device } = await owner();
    const answers = await guess(email, 110, () => ({ address: newAddress() }));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
    const stranger = await signIn(email, { address: newAddress() });
    expect(stranger).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(Number(stranger.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await signIn(email, { address: home })).toMatchObject({ status: 200 });
    expect(await signIn(email, { address: newAddress(), device })).toMatchObject({ status: 200 });
  });

  it("from the owner's own address do not refuse the owner's browser", async () => {
    const { email, home, device } = await owner();
    await guess(email, 110, () => ({ address: home }));
    expect(await signIn(email, { address: home })).toMatchObject({ status: 429 });
    expect(await signIn(email, { address: home, device })).toMatchObject({ status: 200 });
    // Nor do those who run its address out of all its tries.
    await guess(`${randomUUID()}@example.it`, 200, () => ({ address: home }));
    expect(await signIn('nobody@example.it', { address: home })).toMatchObject({ status: 429 });
    expect(await signIn(email, { address: home, device })).toMatchObject({ status: 200 });
  });
});

describe('strangers at one account', () => {
  it('wait longer the more has failed: a minute, a quarter, an hour', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { email, home } = await owner();
      const waits: number[] = [];
      for (let failed = 0; failed < 100; ) {
        const { status, headers } = await signIn(email, { address: newAddress() }, 'wrong password');
        if (status === 401) failed++;
        else {
          waits.push(Number(headers.get('retry-after')));
          await pass(Number(headers.get('retry-after')));
        }
      }
      const last = await signIn(email, { address: newAddress() });
      waits.push(Number(last.headers.get('retry-after')));
      expect(waits.slice(0, 2).every((wait) => wait <= 60)).toBe(true);
      expect(waits[2]).toBeGreaterThan(60);
      expect(waits[2]).toBeLessThanOrEqual(900);
      expect(waits.at(-1)).toBeGreaterThan(900);
      expect(await signIn(email, { address: home })).toMatchObject({ status: 200 });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a device token', () => {
  it('helps at its own account only, and a forged or foreign one is as good as none', async () => {
    const [victim, thief] = [await owner(), await owner()];
    await guess(victim.email, 21, () => ({ address: newAddress() }));
    for (const device of [thief.device, `${victim.device}x`, 'x', victim.device.slice(0, -3)])
      expect(await signIn(victim.email, { address: newAddress(), device })).toMatchObject({ status: 429 });
    expect(await signIn(victim.email, { address: newAddress(), device: victim.device })).toMatchObject({ status: 200 });
  });

  it('gives a thief who has it ten guesses in a quarter of an hour, and opens nothing itself', async () => {
    const { email, device } = await owner();
    const answers = await guess(email, 15, () => ({ address: newAddress(), device }));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  });

  it('keeps its name over sign-ins, so that signing in again brings no new guesses', async () => {
    const { email, home, device } = await owner();
    await guess(email, 9, () => ({ address: newAddress(), device }), 1);
    const { device_token } = SessionView.parse((await signIn(email, { address: home, device })).body);
    const answers = await guess(email, 3, () => ({ address: newAddress(), device: device_token }), 1);
    expect(answers.map(({ status }) => status)).toEqual([401, 429, 429]);
  });

  it('of another account is counted by its address after all', async () => {
    const { device } = await owner();
    const address = newAddress();
    const before = await signIn('nobody@example.it', { address }, 'wrong password');
    const left = (answer: RouteAnswer) => /"login-address";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1];
    const after = await signIn('nobody2@example.it', { address, device }, 'wrong password');
    expect(Number(left(before)) - Number(left(after))).toBe(1);
  });
});

describe('a refused login', () => {
  it('counts nowhere else and writes no row, however often it comes', async () => {
    const { email } = await owner();
    const attacker = newAddress();
    await guess(email, 11, () => ({ address: attacker }));
    const [rows, points] = [await countRows(), await writes()];
    expect((await guess(email, 60, () => ({ address: attacker }))).every(({ status }) => status === 429)).toBe(true);
    expect([await countRows(), await writes()]).toEqual([rows, points]);
    const other = await owner();
    expect(await signIn(other.email, { address: newAddress() })).toMatchObject({ status: 200 });
  });

  it('by its address makes no row for the emails it names', async () => {
    const attacker = newAddress();
    await guess(`${randomUUID()}@example.it`, 120, () => ({ address: attacker }));
    const rows = await countRows();
    for (let n = 0; n < 30; n++)
      expect(await signIn(`${randomUUID()}@example.it`, { address: attacker })).toMatchObject({ status: 429 });
    expect(await countRows()).toBe(rows);
  });

  it('is refused before its body is read', async () => {
    const attacker = newAddress();
    await guess(`${randomUUID()}@example.it`, 120, () => ({ address: attacker }));
    const headers = { [PEER_HEADER]: attacker };
    expect(await callRoute(login, { text: '{'.repeat(5_000), headers })).toMatchObject({ status: 429 });
    expect(await callRoute(login, { text: '{', headers: { [PEER_HEADER]: newAddress() } })).toMatchObject({
      status: 400,
    });
  });
});

describe('places that are known', () => {
  it('are kept as keyed hashes, the 20 newest of each account', async () => {
    const { email } = await owner();
    for (let n = 0; n < 22; n++) expect(await signIn(email, { address: newAddress() })).toMatchObject({ status: 200 });
    const { rows } = await database.db.pool.query(
      'SELECT k.address_hash FROM known_address k JOIN user_account u ON u.id = k.user_id WHERE u.email = $1',
      [email],
    );
    expect(rows).toHaveLength(20);
    expect(JSON.stringify(rows)).not.toContain('10.0.');
  });

  it('are not made by failures', async () => {
    const { email } = await owner();
    await guess(email, 5, () => ({ address: newAddress() }));
    const { rows } = await database.db.pool.query(
      'SELECT count(*)::int AS n FROM known_address k JOIN user_account u ON u.id = k.user_id WHERE u.email = $1',
      [email],
    );
    expect(rows[0]?.n).toBe(1);
  });
});

describe('POST /api/auth/register', () => {
  const fields = (email = `${randomUUID()}@example.it`) => ({ name: 'Bottega', email, password: PASSWORD });
  const ask = (address: string, json = fields()) => callRoute(register, { json, headers: { [PEER_HEADER]: address } });

  it('tells one address of ten emails an hour that they are taken, and no more', async () => {
    const { email } = await owner();
    const address = newAddress();
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await ask(address, fields(email))).status);
    expect(statuses).toEqual([...Array(10).fill(409), 429, 429]);
    expect((await ask(address)).status).toBe(429);
    expect((await ask(newAddress())).status).toBe(201);
  });

  it('makes 30 accounts an hour for one address', async () => {
    const address = newAddress();
    const statuses: number[] = [];
    for (let n = 0; n < 32; n++) statuses.push((await ask(address)).status);
    expect(statuses.slice(0, 30).every((status) => status === 201)).toBe(true);
    expect(statuses.slice(30)).toEqual([429, 429]);
  });
});
