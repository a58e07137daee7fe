/** Everything that the instance on a data folder printed. Beside the folder, which only the starter may create. */
export function instanceLog(dataDir: string): string {
  return `${dataDir}.log`;
}
