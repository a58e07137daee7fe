import type { BrowserContext, ConsoleMessage, Request } from '@playwright/test';

/**
 * Watches every page of a browser context for what a visitor never sees and a developer always should: console errors
 * and warnings, uncaught errors, refusals of the content security policy, answers of 500 and more, calls to other hosts.
 */
export class PageGuard {
  readonly #host: string;
  readonly #expected: RegExp[] = [];
  readonly #seen: string[] = [];

  /** @param url base URL of the instance: pages call nobody else */
  constructor(url: string) {
    this.#host = new URL(url).host;
  }

  async watch(context: BrowserContext): Promise<void> {
    context.on('console', (message) => this.#onConsole(message));
    context.on('weberror', (event) => this.#seen.push(`uncaught: ${event.error().message}`));
    context.on('request', (request) => this.#onRequest(request));
    context.on('response', (response) => {
      if (response.status() >= 500) this.#seen.push(`answer ${response.status()}: ${response.url()}`);
    });
    await context.exposeBinding('reportViolation', (_source, text: string) => this.#seen.push(`policy: ${text}`));
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const report: unknown = Reflect.get(window, 'reportViolation');
        if (typeof report === 'function') report(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
      });
    });
  }

  /** Declares what a test provokes on purpose; the browser itself reports every refused request on the console. */
  expect(...patterns: RegExp[]): void {
    this.#expected.push(...patterns);
  }

  /** What was seen and not declared. */
  problems(): string[] {
    return this.#seen.filter((line) => !this.#expected.some((pattern) => pattern.test(line)));
  }

  #onConsole(message: ConsoleMessage): void {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    this.#seen.push(`console ${message.type()}: ${message.text()} ${message.location().url}`);
  }

  #onRequest(request: Request): void {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.host !== this.#host) this.#seen.push(`call to ${request.url()}`);
  }
}
