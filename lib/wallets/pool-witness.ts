import { open, readFile, rename, stat } from 'node:fs/promises';
import { z } from 'zod';

const WitnessSchema = z.object({
  /** What the database had given away when this was written. */
  newestWalletId: z.int().nonnegative(),
  /** The file's own number on its disk, which no copy of it has. */
  file: z.string(),
});

/** What a witness holds against the database: wallets that it does not know any more, 0 where only the file is a copy. */
export interface Testimony {
  forgottenWallets: number;
}

/**
 * A small file beside the database that remembers how far it was. A data folder that was put back by copying, or by a snapshot of its
 * disk alone, looks the same to Postgres as it did; the file then knows of wallets that the database does not. Where the file was put
 * back with it, it is another file: it keeps its own number and time of birth, which a copy cannot have.
 */
export class PoolWitness {
  readonly #path: string;
  #noted: number | null = null;
  #isBirthTold = true;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * @param newestWalletId of the database as it is now
   * @returns null when nothing speaks against it: also when there is no witness yet, or none that can be read
   */
  async testify(newestWalletId: number): Promise<Testimony | null> {
    const text = await readFile(this.#path, 'utf8').catch(() => null);
    const parsed = text === null ? null : WitnessSchema.safeParse(parseJson(text));
    if (!parsed?.success) return null;
    const isCopy = parsed.data.file !== (await identityOf(this.#path, parsed.data.file.includes('/')));
    const forgottenWallets = Math.max(0, parsed.data.newestWalletId - newestWalletId);
    return isCopy || forgottenWallets > 0 ? { forgottenWallets } : null;
  }

  /** Writes down how far the database is. It is on the disk when this returns. */
  async note(newestWalletId: number): Promise<void> {
    if (this.#noted === newestWalletId) return;
    const written = await this.#write(newestWalletId);
    if (this.#isBirthTold && written !== (await identityOf(this.#path, true))) {
      this.#isBirthTold = false;
      await this.#write(newestWalletId);
    }
    this.#noted = newestWalletId;
  }

  /** @returns what the file says that it is */
  async #write(newestWalletId: number): Promise<string> {
    const draft = `${this.#path}.new`;
    const file = await open(draft, 'w', 0o600);
    try {
      const identity = await identityOf(draft, this.#isBirthTold);
      await file.writeFile(JSON.stringify({ newestWalletId, file: identity }));
      await file.sync();
      // A file keeps its number when its name changes.
      await rename(draft, this.#path);
      return identity;
    } finally {
      await file.close();
    }
  }
}

/**
 * A file's number on its disk and, because numbers are used again, when it was born. Some disks do not tell that and give the last change
 * instead, which the new name is: then the number stands alone.
 */
async function identityOf(path: string, withBirth: boolean): Promise<string> {
  const { ino, birthtimeNs } = await stat(path, { bigint: true });
  return withBirth ? `${ino}/${birthtimeNs}` : String(ino);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
