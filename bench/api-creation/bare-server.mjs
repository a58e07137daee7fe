import { createServer } from 'node:http';
import pg from 'pg';
import { replay } from '../replay.mjs';

const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE_URL, max: 16 });
const statements = JSON.parse(process.env.BENCH_STATEMENTS);

/** The same work without any framework: what the machine could do. */
const server = createServer((request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end();
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    JSON.parse(Buffer.concat(chunks).toString());
    const body = JSON.stringify(await replay(pool, statements));
    response.writeHead(201, { 'content-type': 'application/json' }).end(body);
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
