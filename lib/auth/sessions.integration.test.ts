import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserView } from '@/lib/api-schema/auth';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { addSeconds } from '@/lib/shared/time';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { findSession, openSession, removeDeadSessions, SESSION_SECONDS } from './sessions';

const HOUR = 3600;
const start = new Date('2026-11-27T08:00:00Z');

describe('a session', () => {
  let test: TestDatabase;
  let web: Database;
  let dispatcher: Database;
  let user: UserView;
  let sessionId: string;
  const at = (hours: number) => () => addSeconds(start, hours * HOUR);
  const isAlive = async (hours: number) => (await findSession(web, sessionId, at(hours))) !== null;
  const row = async () =>
    (await test.db.pool.query('SELECT last_seen_at, xmin::text FROM session WHERE id = $1', [sessionId])).rows[0];

  beforeAll(async () => {
    test = await createTestDatabase();
    stubWebEnvironment(test.roleUrl('web'));
    web = openDatabase(test.roleUrl('web'), { max: 10, applicationName: 'web' });
    dispatcher = openDatabase(test.roleUrl('dispatcher'), { max: 1, applicationName: 'dispatcher' });
  });
  afterAll(async () => {
    await Promise.all([closeDatabase(web), closeDatabase(dispatcher)]);
    await test.drop();
    vi.unstubAllEnvs();
  });
  beforeEach(async () => {
    await test.db.pool.query('TRUNCATE session');
    const { rows } = await test.db.pool.query(
      `INSERT INTO user_account (name, email, password_hash) VALUES ('Bottega', $1, 'none') RETURNING id, uuid, name, email`,
      [`${randomUUID()}@example.com`],
    );
    user = { ...rows[0], isAdmin: false };
    ({ sessionId } = await openSession(web.pool, user, at(0)));
  });

  it('that nobody uses ends after 12 hours', async () => {
    expect(await isAlive(11.99)).toBe(true);
    const unused = await openSession(web.pool, user, at(0));
    expect(await findSession(web, unused.sessionId, at(12))).toBeNull();
  });

  it('at a till that is used lives on from one use to the next, until its week is over', async () => {
    for (let hours = 0; hours < 7 * 24; hours += 11) expect(await isAlive(hours)).toBe(true);
    expect(await isAlive(SESSION_SECONDS / HOUR)).toBe(false);
  });

  it('that ended is not brought back by being asked for', async () => {
    expect(await isAlive(13)).toBe(false);
    expect(await isAlive(11)).toBe(true);
    expect((await row()).last_seen_at).toEqual(at(11)());
  });

  it('is written once in five minutes, however many requests come, and by one of those at once', async () => {
    const first = await row();
    for (const minutes of [0, 1, 2, 4.9]) await isAlive(minutes / 60);
    expect(await row()).toEqual(first);
    await Promise.all(Array.from({ length: 20 }, () => isAlive(5 / 60)));
    const noted = await row();
    expect(noted.last_seen_at).toEqual(at(5 / 60)());
    await Promise.all(Array.from({ length: 20 }, () => isAlive(9.9 / 60)));
    expect(await row()).toEqual(noted);
  });

  it('that is idle or over is removed by the dispatcher, and by its user’s next login; a living one stays', async () => {
    const later = await openSession(web.pool, user, at(0));
    await findSession(web, later.sessionId, at(11));
    const left = async () =>
      (await test.db.pool.query('SELECT id FROM session WHERE user_id = $1', [user.id])).rows.map(({ id }) => id);
    expect(await removeDeadSessions(dispatcher.pool, at(11.99)(), 10)).toBe(0);
    expect(await removeDeadSessions(dispatcher.pool, at(12)(), 10)).toBe(1);
    expect(await left()).toEqual([later.sessionId]);
    const newest = await openSession(web.pool, user, at(24));
    expect(await left()).toEqual([newest.sessionId]);
  });
});
