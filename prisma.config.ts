import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

// The WASM schema engine that npm ships, behind the real CLI: no native binary is ever downloaded.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(new URL('./prisma/schema-engine.mjs', import.meta.url));

export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL || 'postgresql://unset' },
});
