import autocannon from 'autocannon';

const CONNECTIONS = 16;

/**
 * Posts the same body from 16 connections for some seconds.
 * @returns answers per second
 * @throws Error when an answer is not 201
 */
export async function load(
  url: string,
  headers: Record<string, string>,
  body: string,
  seconds: number,
): Promise<number> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    connections: CONNECTIONS,
    duration: seconds,
  });
  const refused = result.non2xx + result.errors + result.timeouts;
  if (refused > 0)
    throw new Error(`${refused} of ${result.requests.total} requests to ${url} were not answered with 201.`);
  return result.requests.total / result.duration;
}
