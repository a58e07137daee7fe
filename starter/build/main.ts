import { buildWeb } from './prepare-code';

/** `next build` when the sources changed, as `npm start` does it: the test run's step. */
buildWeb({ root: process.cwd(), tell: (line) => console.log(line) }).then(
  (built) => console.log(built ? 'built' : 'the build is up to date'),
  (error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
