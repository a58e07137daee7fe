import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Logger } from '@/lib/logging/logger';
import type { WorkerContext } from '@/workers/runtime/worker-context';

/** Whoever collects the metrics runs beside the process, or reaches it through what does. */
const HOST = '127.0.0.1';

interface Metrics {
  contentType: string;
  text(): Promise<string>;
}

/**
 * Answers `GET /metrics` on a loopback port until the signal aborts. A port that is taken is logged and ends nothing else.
 */
export async function serveMetrics(
  metrics: Metrics,
  port: number,
  { signal, logger }: Pick<WorkerContext, 'signal' | 'logger'>,
): Promise<void> {
  const server = createServer(async ({ method, url }, response) => {
    if (method !== 'GET' || url !== '/metrics') response.writeHead(404).end();
    else await answer(metrics, response, logger);
  });
  const closed = once(server, 'close').catch((error: unknown) => logger.error({ err: error, port }, 'no metrics'));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) return;
  server.listen(port, HOST);
  await closed;
}

async function answer(metrics: Metrics, response: ServerResponse, logger: Logger): Promise<void> {
  try {
    const text = await metrics.text();
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
  } catch (error) {
    logger.warn({ err: error }, 'metrics cannot be read');
    response.writeHead(503).end();
  }
}
