import path from 'node:path';
import { type Instance, readInstance } from './instance';

/**
 * Runs one of the commands beside a running instance: its last line is the result, an error is one sentence and exit 1.
 *
 * @param act gets the instance that DATA_DIR names, and the command's arguments
 */
export async function runCommand(act: (instance: Instance, args: string[]) => Promise<string>): Promise<void> {
  try {
    const instance = readInstance(path.resolve(process.env.DATA_DIR || '.data'));
    console.log(await act(instance, process.argv.slice(2)));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
