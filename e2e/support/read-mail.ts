import { z } from 'zod';
import type { Instance } from '@/starter/instance';

const mails = z.array(
  z.object({ subject: z.string(), text: z.string().optional(), to: z.array(z.object({ address: z.string() })) }),
);

/** The mails that arrived for an address in the instance's inbox. */
export async function readMail({ inboxUrl }: Instance, address: string): Promise<z.infer<typeof mails>> {
  const response = await fetch(`${inboxUrl}/api/email`);
  return mails.parse(await response.json()).filter(({ to }) => to.some((each) => each.address === address));
}
