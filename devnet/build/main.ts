import { buildWeb } from './prepare-code';

/** `next build` when the sources changed, as `npm start` does it: the test run's step. */
const built = await buildWeb({ root: process.cwd(), tell: (line) => console.log(line) });
console.log(built ? 'built' : 'the build is up to date');
