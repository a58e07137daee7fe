// Preloaded (node --import) into every Node process that the starter starts: when the starter is gone, however it went,
// the channel between the two closes, and the process ends as on SIGTERM. A process's own forks inherit the preload, but
// not the starter for a parent, and are left alone.
const PATIENCE_MS = 5_000;

if (process.channel !== undefined && process.env.INCASSA_STARTER_PID === String(process.ppid)) {
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  process.channel.unref();
}
