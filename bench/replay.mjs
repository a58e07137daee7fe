/**
 * Issues recorded statements one after the other, as they were recorded (named ones stay prepared).
 * @param {import('pg').Pool} pool
 * @param {{ name?: string, text: string, values: unknown[] }[]} statements
 * @returns the last statement's first row
 */
export async function replay(pool, statements) {
  let row;
  for (const statement of statements) row = (await pool.query(statement)).rows[0];
  return row;
}
