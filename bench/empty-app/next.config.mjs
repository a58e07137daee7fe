import { fileURLToPath } from 'node:url';

export default {
  poweredByHeader: false,
  serverExternalPackages: ['pg'],
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
};
