/** Writes to the browser's console a failure that nobody needs to be told, and nothing else. */
export function logFailure(what: string, error?: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one log that a browser has
  console.warn(what, error);
}
