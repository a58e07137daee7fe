import pg from 'pg';
import { replay } from '../../../replay.mjs';

const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE_URL, max: 16 });
const statements = JSON.parse(process.env.BENCH_STATEMENTS ?? '[]'); // not set while this is built

/** The bound of invoice creation: reads its body, issues the statements, answers with what the last one returned. */
export async function POST(request) {
  await request.json();
  return Response.json(await replay(pool, statements), { status: 201 });
}
