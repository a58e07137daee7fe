import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * One hash over the content and names of everything that a step reads, so that the step is done again only when something
 * changed. File times say nothing: a checkout changes them all.
 *
 * @param root folder of the project
 * @param inputs files and folders below it; absent ones count as absent
 * @param ignore names of files that do not matter, by their path below root
 * @returns SHA-256, hex
 */
export function sourceHash(root: string, inputs: readonly string[], ignore: (file: string) => boolean): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of inputs.flatMap((input) => filesBelow(root, input)).sort()) {
    if (ignore(file)) continue;
    const content = readFileSync(path.join(root, file));
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesBelow(root: string, input: string): string[] {
  const full = path.join(root, input);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [input];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}
