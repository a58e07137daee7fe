import { SCENARIOS } from './scenarios';

/** The process of one scenario: sends its results to the parent and ends. */
async function main(): Promise<void> {
  const scenario = SCENARIOS.find(({ name }) => name === process.argv[2]);
  if (scenario === undefined) throw new Error(`There is no scenario ${process.argv[2]}.`);
  const results = await scenario.run((line) => console.error(line));
  await new Promise((resolve) => process.send?.(results, resolve));
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
