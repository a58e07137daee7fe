/**
 * Runs an operator's command: a number that it returns becomes the exit status, and an error its one sentence on standard error with
 * status 1.
 */
export function runCommand(command: () => Promise<unknown>): void {
  command().then(
    (status) => {
      process.exitCode = typeof status === 'number' ? status : 0;
    },
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : String(error));
      process.exitCode = 1;
    },
  );
}
