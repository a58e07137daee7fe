import { prettyFactory } from 'pino-pretty';

const WIDTH = 'dispatcher'.length;

/** Postgres' own chatter (LOG) and the errors that a statement gets for an answer: told at level debug only. */
const POSTGRES_CHATTER = /\b(?:LOG|ERROR|STATEMENT|DETAIL|HINT|CONTEXT): |FATAL: {2}the database system is/;

/**
 * Makes the function that prints what the processes say: one line each, behind the name of its process.
 *
 * @param verbose also print what only a developer of the product wants to see
 */
export function createPrinter(verbose: boolean): (name: string, line: string) => void {
  const pretty = prettyFactory({
    colorize: process.stdout.isTTY === true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,name,role',
    singleLine: true,
  });
  return (name, line) => {
    if (line.trim() === '') return;
    if (name === 'postgres' && !verbose && POSTGRES_CHATTER.test(line)) return;
    const text = line.startsWith('{') ? pretty(line).trimEnd() : line;
    process.stdout.write(`${name.padEnd(WIDTH)} | ${text}\n`);
  };
}
