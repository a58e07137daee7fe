import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import getPort from 'get-port';
import { z } from 'zod';

const portsSchema = z.object({
  postgres: z.int(),
  devnet: z.int(),
  node: z.int(),
  smtp: z.int(),
  inbox: z.int(),
});
/** Loopback ports of what is embedded. */
export type Ports = z.infer<typeof portsSchema>;

/**
 * Chooses the ports of what is embedded: those of the last start where they are still free.
 *
 * @param run the instance's run folder, where they are remembered
 */
export async function choosePorts(run: string): Promise<Ports> {
  const file = path.join(run, 'ports.json');
  const last = readLast(file);
  const chosen: Record<string, number> = {};
  // getPort gives no port twice to one process for some seconds, so that no two of these are equal.
  for (const name of portsSchema.keyof().options)
    chosen[name] = await getPort({ host: '127.0.0.1', ...(last && { port: last[name] }) });
  writeFileSync(file, JSON.stringify(chosen, null, 2), { mode: 0o600 });
  return portsSchema.parse(chosen);
}

function readLast(file: string): Ports | undefined {
  try {
    return portsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
