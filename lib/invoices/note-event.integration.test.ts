import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MadeInvoice, makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { callFromOldSnapshot, holdsInvoice } from '@/testing/open-transaction';
import { settleDoor } from '@/testing/settle-door';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const LATE = 'invoice.paymentLate';
const OVER = 'invoice.overpaid';

describe('an event that is no change of status', () => {
  let test: TestDatabase;
  let owner: { id: number; email: string };

  beforeAll(async () => {
    test = await createTestDatabase();
    await makeCursor(test.db.pool);
    await makeUser(test.db.pool);
    owner = await makeUser(test.db.pool);
    await makeUser(test.db.pool);
  });
  afterAll(() => test.drop());

  const query = async (text: string, values: unknown[] = []) => (await test.db.pool.query(text, values)).rows;
  const invoiceAs = async (state: string, received = 5): Promise<MadeInvoice> => {
    const invoice = await makeInvoice(test.db.pool, { userId: owner.id });
    await query('UPDATE invoice SET payment_state = $2, amount_received_units = $3 WHERE id = $1', [
      invoice.id,
      state,
      received,
    ]);
    return invoice;
  };
  const note = ({ id }: MadeInvoice, type: string) => query('SELECT note_event($1, $2, now())', [id, type]);
  const eventsOf = async ({ id }: MadeInvoice) =>
    (await query('SELECT type, sequence FROM invoice_event WHERE invoice_id = $1 ORDER BY sequence', [id])).map(
      ({ type, sequence }) => `${sequence} ${type}`,
    );
  const mailsOf = async ({ id }: MadeInvoice) =>
    (
      await query(
        'SELECT m.recipient, m.kind FROM outgoing_mail m JOIN invoice_event e ON e.id = m.event_id WHERE e.invoice_id = $1',
        [id],
      )
    ).map(({ recipient, kind }) => [recipient, kind]);

  it.each([
    [LATE, 'late'],
    [OVER, 'overpaid'],
  ])('%s tells the owner of an invoice that is %s, once', async (type, state) => {
    const [invoice, other] = [await invoiceAs(state), await invoiceAs(state)];
    for (const _ of [1, 2]) await note(invoice, type);
    expect(await eventsOf(invoice)).toEqual([`1 ${type}`]);
    expect(await mailsOf(invoice)).toEqual([[owner.email, 'misfit']]);
    expect(await eventsOf(other)).toEqual([]);
    // What another invoice was told of is nothing to this one.
    await note(other, type);
    expect(await eventsOf(other)).toEqual([`1 ${type}`]);
  });

  it.each([
    [LATE, 'overpaid'],
    [LATE, 'settled'],
    [OVER, 'late'],
    [OVER, 'settled'],
    ['invoice.statusChanged', 'late'],
    ['invoice.statusChanged', 'overpaid'],
    ['invoice.statusChanged', 'settled'],
  ])('%s is refused of an invoice that is %s', async (type, state) => {
    const invoice = await invoiceAs(state);
    await expect(note(invoice, type)).rejects.toMatchObject({ constraint: 'event_founded' });
    expect(await eventsOf(invoice)).toEqual([]);
  });

  it.each(['invoice.resolved', 'invoice.noted'])(
    '%s can be said of every invoice, as often as it happens, and is no mail',
    async (type) => {
      const invoice = await invoiceAs('settled');
      for (const _ of [1, 2]) await note(invoice, type);
      expect(await eventsOf(invoice)).toEqual([`1 ${type}`, `2 ${type}`]);
      expect(await mailsOf(invoice)).toEqual([]);
    },
  );

  it('comes again with more money, with another misfit and after a change of status, and not after what the owner said', async () => {
    const invoice = await invoiceAs('late');
    await note(invoice, LATE);
    await note(invoice, 'invoice.noted');
    await note(invoice, LATE);
    expect(await eventsOf(invoice)).toEqual([`1 ${LATE}`, '2 invoice.noted']);
    await query('UPDATE invoice SET amount_received_units = 6 WHERE id = $1', [invoice.id]);
    await note(invoice, LATE);
    await query("UPDATE invoice SET payment_state = 'overpaid' WHERE id = $1", [invoice.id]);
    await note(invoice, OVER);
    await query(
      `INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state, amount_received_units)
       VALUES ($1, 5, 'invoice.statusChanged', 'pending', 'paid', 'overpaid', 6)`,
      [invoice.id],
    );
    await note(invoice, OVER);
    expect((await eventsOf(invoice)).slice(2)).toEqual([
      ...[`3 ${LATE}`, `4 ${OVER}`, '5 invoice.statusChanged', `6 ${OVER}`],
    ]);
  });

  it('is said while the invoice is held, and from no older snapshot', async () => {
    const { id } = await invoiceAs('settled');
    const call = { text: "SELECT note_event($1, 'invoice.noted', now())", values: [id] };
    expect(await holdsInvoice(test.db, id, call)).toBe(true);
    await expect(callFromOldSnapshot(test.db, call)).rejects.toThrow('repeatable read');
  });
});

describe('a set of decisions', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  it('has a thousand invoices at most, each once', async () => {
    const { pool } = test.db;
    const settle = async (ids: number[]) =>
      (await pool.query(settleDoor(...ids.map((id) => ({ id, state: 'unpaid' }))))).rows[0]?.written;
    const ids = Array.from({ length: 1001 }, (_, n) => n + 1);
    expect(await settle(ids.slice(1))).toBe(0);
    await expect(settle(ids)).rejects.toThrow('no set of at most 1,000');
    await expect(settle([7, 7])).rejects.toThrow('no set of at most 1,000');
  });
});
