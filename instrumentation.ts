/** Next calls this once, before the first request. */
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: how Next tells its runtimes apart; a constant at build time.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { startWeb } = await import('@/lib/http/start-web');
    startWeb();
  }
}
