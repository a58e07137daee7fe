import type { Sql } from './database';
import type { Statement } from './statement';

/**
 * Reads the rows of a statement a page at a time, all as of one moment. Needs a transaction: it opens a cursor there, and
 * one at a time.
 */
export async function* streamPages<Params extends object, Row extends object>(
  sql: Sql,
  statement: Statement<Params, Row>,
  params: Params,
  pageSize: number,
): AsyncGenerator<Row[]> {
  const { text, values } = statement.bind(params);
  await sql.query({ text: `DECLARE streamed NO SCROLL CURSOR FOR ${text}`, values });
  for (let isMore = true; isMore; ) {
    const { rows } = await sql.query<Row>(`FETCH ${pageSize} FROM streamed`);
    isMore = rows.length === pageSize;
    if (rows.length > 0) yield rows;
  }
  await sql.query('CLOSE streamed');
}
