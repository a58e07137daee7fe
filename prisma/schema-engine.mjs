#!/usr/bin/env node
// Speaks Prisma's schema-engine protocol (JSON-RPC, a line each, on stdin and stdout) in front of the WASM
// engine that npm ships, so that the Prisma CLI needs no native binary. Point PRISMA_SCHEMA_ENGINE_BINARY here.
// Needs: @prisma/schema-engine-wasm, @prisma/adapter-pg, @prisma/driver-adapter-utils, pg, pg-connection-string. Keep the run bit.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { parse } from 'pg-connection-string';

globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (text) => process.stderr.write(`${text}\n`) };

const args = process.argv.slice(2);
const datasource = args.indexOf('--datasource');
const url = datasource >= 0 ? JSON.parse(args[datasource + 1]).url : process.env.DATABASE_URL;

/**
 * What the driver adapter lacks for the schema engine: PostgreSQL's catalogs use its internal "char" type (OID 18),
 * to be read as text and announced as a character; a script is one simple query (the adapter cuts it at every
 * semicolon, also inside a function's body), which also makes a migration all or nothing; and a shadow database must
 * be dropped after its last connection.
 */
class CatalogAwareFactory extends PrismaPg {
  async connect() {
    return withCatalogsAndScripts(await super.connect());
  }

  async connectToShadowDb() {
    const shadow = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
    await onMaintenanceDatabase(`CREATE DATABASE "${shadow}"`);
    const connection = withCatalogsAndScripts(await new PrismaPg({ ...parse(url), database: shadow }).connect());
    const dispose = connection.dispose.bind(connection);
    connection.dispose = async () => {
      await dispose();
      await onMaintenanceDatabase(`DROP DATABASE IF EXISTS "${shadow}" WITH (FORCE)`);
    };
    return connection;
  }
}

async function onMaintenanceDatabase(sql) {
  const client = new pg.Client({ ...parse(url), database: 'postgres' });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

let characterColumns = [];
const readRowDescription = pg.Query.prototype.handleRowDescription;
pg.Query.prototype.handleRowDescription = function (message) {
  characterColumns = message.fields.flatMap((field, index) => (field.dataTypeID === 18 ? [index] : []));
  for (const index of characterColumns) message.fields[index].dataTypeID = 25;
  return readRowDescription.call(this, message);
};

function withCatalogsAndScripts(connection) {
  connection.executeScript = async (script) => {
    await connection.client.query(script).catch((error) => connection.onError(error));
  };
  const queryRaw = connection.queryRaw.bind(connection);
  connection.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const index of characterColumns) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  return connection;
}

if (args.includes('cli')) await answerCommand(args[args.indexOf('cli') + 1]);

// Loaded by the first call, so that a database out of reach is that call's error and not an engine that just ends.
let loading;
let queue = Promise.resolve();
readline
  .createInterface({ input: process.stdin })
  .on('line', (line) => {
    queue = queue.then(() => answerCall(JSON.parse(line)));
  })
  .on('close', () => queue.then(() => process.exit(0)));

/** `cli can-connect-to-database` and `cli create-database`: the exit status is the answer. */
async function answerCommand(command) {
  const target = new URL(url);
  const database = decodeURIComponent(target.pathname.slice(1));
  if (command === 'create-database') target.pathname = '/postgres';
  const client = new pg.Client(target.href);
  try {
    await client.connect();
    if (command === 'create-database') await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
    process.exit(0);
  } catch (error) {
    const error_code = error.code === '3D000' ? 'P1003' : 'P1001';
    const fields = { message: error.message, is_panic: false, error_code, meta: null };
    process.stderr.write(`${JSON.stringify({ level: 'ERROR', fields, target: 'schema_engine' })}\n`);
    process.exit(1);
  }
}

async function loadEngine() {
  const folder = path.dirname(fileURLToPath(import.meta.resolve('@prisma/schema-engine-wasm')));
  const glue = await import(path.join(folder, 'schema_engine_bg.js'));
  const wasm = new WebAssembly.Module(fs.readFileSync(path.join(folder, 'schema_engine_bg.wasm')));
  const { exports } = new WebAssembly.Instance(wasm, { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
  const adapter = bindMigrationAwareSqlAdapterFactory(new CatalogAwareFactory(parse(url)));
  return glue.SchemaEngine.new({ datamodels: undefined }, () => {}, adapter);
}

async function answerCall({ id, method, params }) {
  if (!method) return; // the CLI's answer to our own `print`
  try {
    loading ??= loadEngine();
    const engine = await loading;
    const result = (await engine[method === 'getDatabaseVersion' ? 'version' : method](params)) ?? null;
    if (method === 'diff' && result.stdout)
      send({ id: `print-${id}`, method: 'print', params: { content: result.stdout } });
    send({ id, result });
  } catch (error) {
    const data = { is_panic: false, message: error.message, meta: error.meta ?? null, error_code: error.code ?? null };
    send({ id, error: { code: 4466, message: 'An error happened. Check the data field for details.', data } });
  }
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
