import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { cutStalled } from './cut-stalled';

const STALLED_MS = 300;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that cuts what stalls, and a caller who has begun to read an answer that has no end. */
async function startAnswer(write: (response: ServerResponse) => void) {
  const server: Server = createServer((request, response) => {
    cutStalled(server, request.socket, STALLED_MS);
    write(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const caller: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  caller.on('error', () => undefined);
  closers.push(() => caller.destroy());
  closers.push(() => server.close());
  const answered = once(server, 'request');
  caller.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [, response] = (await answered) as [unknown, ServerResponse];
  return { caller, response };
}

it('cuts a caller who takes nothing any more, in the middle of an answer', async () => {
  const chunk = Buffer.alloc(64 * 1024);
  const { caller, response } = await startAnswer((answer) => {
    const fill = () => {
      while (answer.write(chunk));
    };
    answer.on('drain', fill);
    fill();
  });
  caller.pause();
  await once(response, 'close');
  expect(response.writableFinished).toBe(false);
});

it('leaves a caller alone who takes what little there is', async () => {
  const { caller, response } = await startAnswer((answer) => {
    const beat = setInterval(() => answer.write(': \n\n'), STALLED_MS / 5);
    closers.push(() => clearInterval(beat));
  });
  const closed = vi.fn();
  response.on('close', closed);
  let beats = 0;
  caller.on('data', () => {
    beats += 1;
  });
  await expect.poll(() => beats, { timeout: 10_000 }).toBeGreaterThan(15);
  expect(closed).not.toHaveBeenCalled();
});
