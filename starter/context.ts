import type { Ports } from './choose-ports';
import type { ChildRecords } from './processes/child-records';
import type { Settings } from './read-settings';
import type { Secrets } from './secrets';
import type { Services } from './services';

/** What every step of a start works with. */
export type StarterContext = {
  /** Folder of the project. */
  root: string;
  settings: Settings;
  /** Undefined in production, where every secret is given. */
  secrets: Secrets | undefined;
  ports: Ports;
  services: Services;
  records: ChildRecords;
  /** Aborted when the start is to be given up. */
  signal: AbortSignal;
  /** Prints a line of a process. */
  print: (name: string, line: string) => void;
  /** Prints a line of the starter itself. */
  tell: (line: string) => void;
};
