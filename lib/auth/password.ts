import { hash, verify } from '@node-rs/argon2';
import { processSingleton } from '@/lib/shared/process-singleton';
import { type Lane, WorkQueue } from './work-queue';

/** Argon2id as OWASP's password storage sheet asks for at least: 19 MiB, 2 passes, 1 lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hash of a random password that nobody kept, made with the same options. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$zlm73PCqG1H5Kis9KYAsng$YKW/ZMOPas4lCm3sNXtTxQhqV1fq/3Fd7g1zM66Z6Cw';

/**
 * Two hashes at a time are 38 MiB and half of the threads that Node has for work beside its own; as many as 32 of each lane
 * wait about a second.
 */
const queue = () => processSingleton('password-queue', () => new WorkQueue({ atOnce: 2, waiting: 32 }));

/** Argon2id hash of a password, as a PHC string. @throws {AppError} `too_busy` */
export function hashPassword(password: string): Promise<string> {
  return queue().run('strangers', () => hash(password, OPTIONS));
}

/**
 * Tells whether a password belongs to a hash. Without a hash (nobody has that email) it works just as long and says
 * no, so that the time of an answer does not tell who has an account.
 * @throws {AppError} `too_busy`
 */
export async function verifyPassword(password: string, passwordHash: string | null, lane: Lane): Promise<boolean> {
  const isRight = await queue().run(lane, () => verify(passwordHash ?? NOBODY, password));
  return isRight && passwordHash !== null;
}
