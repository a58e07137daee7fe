import { z } from 'zod';
import type { Instance } from '@/starter/instance';
import { StartError } from '@/starter/start-error';
import { type ControlName, controlContract } from './contract';

/** The contract as a map from name to answer, which lets the compiler follow one name through. */
const ANSWERS: { [N in ControlName]: { answer: z.ZodType<z.output<(typeof controlContract)[N]['answer']>> } } =
  controlContract;

/**
 * Uses one of the devnet's own doors.
 *
 * @param devnet the devnet of a running instance
 * @param name the door
 * @param body what it takes
 * @returns what it answers
 * @throws {StartError} with the devnet's message when it refuses or does not answer
 */
export async function callControl<N extends ControlName>(
  devnet: NonNullable<Instance['devnet']>,
  name: N,
  body: z.input<(typeof controlContract)[N]['body']>,
): Promise<z.output<(typeof controlContract)[N]['answer']>> {
  const response = await fetch(`${devnet.url}/control/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${devnet.controlToken}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  }).catch(() => {
    throw new StartError(`The devnet at ${devnet.url} does not answer.`);
  });
  const answer: unknown = await response.json();
  if (!response.ok) {
    const problem = z.object({ message: z.string() }).safeParse(answer);
    throw new StartError(`The devnet refused: ${problem.data?.message ?? response.status}`);
  }
  return ANSWERS[name].answer.parse(answer);
}
