import { describe, expect, it } from 'vitest';
import { problemResponse } from './problem';
import { readJsonBody } from './read-json-body';

/** A request whose body goes on for ever, a space every few milliseconds. */
function trickling(): { request: Request; end: () => void } {
  let more: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      more = setInterval(() => controller.enqueue(new Uint8Array([0x20])), 2);
    },
  });
  const headers = { 'Content-Type': 'application/json' };
  const init = { method: 'POST', body, duplex: 'half', headers };
  return { request: new Request('http://localhost/', init), end: () => clearInterval(more) };
}

describe('readJsonBody', () => {
  it('gives a body that trickles up at its deadline, with an answer that closes the connection', async () => {
    const { request, end } = trickling();
    const refused = await readJsonBody(request, 40).catch((thrown: unknown) => thrown);
    end();
    expect(refused).toMatchObject({ code: 'request_timeout', status: 408 });
    const response = problemResponse(refused, 'request-1', new Headers());
    expect([response.status, response.headers.get('connection')]).toEqual([408, 'close']);
    expect(await response.json()).toMatchObject({ message: 'La richiesta non è arrivata per intero in tempo.' });
  });

  it('leaves no timer behind when the body is there in time', async () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const headers = { 'Content-Type': 'application/json' };
    const request = new Request('http://localhost/', { method: 'POST', body: '{"a":1}', headers });
    expect(await readJsonBody(request, 60_000)).toEqual({ a: 1 });
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')).toHaveLength(before);
  });
});
