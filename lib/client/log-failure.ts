/** Writes a failure to the browser's console: what the spec wants "only logged" (section 8), and nothing else. */
export function logFailure(what: string, error?: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one log that a browser has
  console.warn(what, error);
}
