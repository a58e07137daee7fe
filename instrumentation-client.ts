import { config } from 'zod';

/** Zod would compile its schemas with `new Function`; the content security policy refuses, and reports, even the try. */
config({ jitless: true });
