/**
 * The rooms of the house and who may enter which (docs/architecture.md). Each rule says what to do instead. Tests obey them
 * like everything else: a test that needs a higher room belongs there.
 */

/** Domains, low to high: a domain imports only those before it. */
const DOMAINS = [
  ['rates'],
  ['ledger'],
  ['mail'],
  ['api-keys'],
  ['auth'],
  ['webhooks', 'wallets'],
  ['deposits', 'withdrawals'],
  ['chain-sync'],
  ['invoices'],
  ['exchange'],
  ['reconciliation', 'health'],
];
const ALL_DOMAINS = DOMAINS.flat().join('|');

/** Chains with a folder of their own, and what several of them share. */
const CHAINS = 'ethereum|bsc|ton|tron|litecoin';
const CHAIN_KITS = 'evm';

const TEST = '\\.(test|spec)\\.tsx?$';
const GENERATED = '^lib/db/generated/';
const PRODUCT = '^(app|components|lib|workers|prisma|starter|devnet|proxy\\.ts|instrumentation)';

const domainOrder = DOMAINS.flatMap((level, index) => {
  const higher = DOMAINS.slice(index + 1).flat();
  return level.map((domain) => {
    const beside = level.filter((other) => other !== domain);
    return {
      name: `domain-order-${domain}`,
      comment: `${domain} may import lower domains only: move the shared piece down, or pass it in from the caller.`,
      severity: 'error',
      from: { path: `^lib/${domain}/` },
      to: { path: `^lib/(${[...higher, ...beside].join('|') || 'none'})/` },
    };
  });
});

/** A target that only some may import. */
const only = (name, comment, target, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: allowed },
  to: target,
});

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Two modules need each other: move what both need into a third.',
      severity: 'error',
      from: { pathNot: GENERATED },
      to: { circular: true, viaOnly: { pathNot: GENERATED } },
    },
    {
      name: 'no-orphan-import',
      comment: 'The import leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^next-env' },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'Product code must not use test code.',
      severity: 'error',
      from: { path: PRODUCT, pathNot: TEST },
      to: { path: [TEST, '^testing/'] },
    },
    {
      name: 'shared-is-a-leaf',
      comment: 'lib/shared runs in a browser and imports nothing of ours.',
      severity: 'error',
      from: { path: '^lib/shared/' },
      to: { path: '^(app|components|workers|prisma|starter|devnet|testing|bench)/|^lib/(?!shared/)' },
    },
    {
      name: 'api-schema-imports-shared',
      comment: 'lib/api-schema describes what crosses the border and imports lib/shared only.',
      severity: 'error',
      from: { path: '^lib/api-schema/' },
      to: { path: '^(app|components|workers|prisma|starter|devnet|testing|bench)/|^lib/(?!(shared|api-schema)/)' },
    },
    {
      name: 'client-imports-api-schema',
      comment: 'lib/client runs in a browser: api-schema and shared only.',
      severity: 'error',
      from: { path: '^lib/client/' },
      to: {
        path: '^(app|components|workers|prisma|starter|devnet|testing|bench)/|^lib/(?!(shared|api-schema|client)/)',
      },
    },
    {
      name: 'components-import-client',
      comment: 'Components get their data from lib/client or as props, never from a domain.',
      severity: 'error',
      from: { path: '^components/' },
      to: { path: '^(app|workers|prisma|starter|devnet|testing|bench)/|^lib/(?!(shared|api-schema|client)/)' },
    },
    {
      name: 'nothing-imports-an-entrance',
      comment: 'app and workers are entrances, starter and devnet stand outside: move the shared piece into lib.',
      severity: 'error',
      from: { path: '^(components|lib|prisma)/' },
      to: { path: '^(app|workers|starter|devnet|bench|e2e)/' },
    },
    {
      name: 'app-not-to-workers',
      comment: 'The web process must not load worker code.',
      severity: 'error',
      from: { path: '^app/' },
      to: { path: '^(workers|starter|devnet|bench|e2e)/' },
    },
    {
      name: 'workers-stand-alone',
      comment: 'Workers run without the web process, the starter and the devnet.',
      severity: 'error',
      from: { path: '^workers/' },
      to: { path: '^(app|components|starter|devnet|bench|e2e)/|^lib/(http|client)/' },
    },
    {
      name: 'starter-starts-programs',
      comment: 'The starter starts the product and the devnet as programs: it imports configuration, never their code.',
      severity: 'error',
      from: { path: '^starter/' },
      to: { path: `^(app|components|workers|devnet|bench|e2e)/|^lib/(?!(config|shared|chains)/)` },
    },
    {
      name: 'devnet-stands-outside',
      comment: 'The devnet is what the product finds outside: it shares chains, schemas and the tools of the starter.',
      severity: 'error',
      from: { path: '^devnet/' },
      to: { path: `^(app|components|workers|bench|e2e)/|^lib/(${ALL_DOMAINS}|http|client|db|security|keys)/` },
    },
    only('only-app-imports-http', 'lib/http belongs to route handlers.', { path: '^lib/http/' }, [
      '^app/',
      '^lib/http/',
      '^instrumentation\\.ts$',
    ]),
    ...domainOrder,
    {
      name: 'foundations-know-no-domain',
      comment: 'db, net, security, config and logging carry every domain and know none.',
      severity: 'error',
      from: { path: '^lib/(db|net|security|config|logging)/' },
      to: { path: `^lib/(${ALL_DOMAINS}|keys|http|client|api-schema)/` },
    },
    {
      name: 'chains-know-no-domain',
      comment: 'A chain knows itself: no domain, no database, no configuration but what it is given.',
      severity: 'error',
      from: { path: '^lib/chains/' },
      to: { path: `^lib/(${ALL_DOMAINS}|keys|config|db|security|http|client|api-schema)/` },
    },
    {
      name: 'chains-know-no-other-chain',
      comment: 'What two chains share goes to a kit (lib/chains/evm) or to lib/chains/support.',
      severity: 'error',
      from: { path: `^lib/chains/(${CHAINS})/` },
      to: { path: `^lib/chains/(${CHAINS})/`, pathNot: '^lib/chains/$1/' },
    },
    {
      name: 'domains-reach-chains-by-the-port',
      comment: 'Everyone else uses lib/chains/{types,registry}; the registry loads the chain.',
      severity: 'error',
      from: { path: `^(app|components|workers|prisma|starter)/|^lib/(?!chains/|keys/)` },
      to: { path: `^lib/chains/(${CHAINS}|${CHAIN_KITS}|support)/` },
    },
    only(
      'chain-sdks-stay-in-chains',
      'Chain SDKs live behind the chain port.',
      { path: 'node_modules/(ethers|tronweb|@ton/|bitcoinjs-lib)' },
      ['^lib/chains/', '^devnet/', '^bench/', '^testing/', '^e2e/', 'node_modules'],
    ),
    only(
      'frameworks-stay-on-top',
      'Domains and workers must run without Next and React.',
      { path: 'node_modules/(next|next-auth|react|react-dom)/' },
      [
        ...['^app/', '^components/', '^lib/http/', '^lib/client/', '^proxy\\.ts$', '^next\\.config\\.ts$'],
        ...['^starter/web\\.mjs$', 'node_modules'],
      ],
    ),
    only(
      'prisma-stays-in-repositories',
      'Queries live in the repository of their domain; the types of rows may be named anywhere in it.',
      { path: '^lib/db/generated/|node_modules/@prisma/', dependencyTypesNot: ['type-only'] },
      ['^lib/db/', 'repository\\.ts$', '^prisma/', '^testing/', 'node_modules'],
    ),
    only(
      'prisma-client-is-made-once',
      'Rows take their types from the generated models; its code runs behind prismaOf alone.',
      { path: GENERATED, dependencyTypesNot: ['type-only'] },
      ['^lib/db/prisma\\.ts$', '^lib/db/generated/'],
    ),
    {
      name: 'workers-without-prisma',
      comment: 'Workers load no Prisma client: declare a statement in a repository that does not import lib/db/prisma.',
      severity: 'error',
      from: { path: '^workers/', pathNot: TEST },
      to: { path: '^lib/db/prisma\\.ts$', reachable: true },
    },
    only(
      'keys-belong-to-the-signer',
      'Only the signer may open the seed. A definition of a chain names the module and loads it for nobody else.',
      { path: '^lib/keys/|^lib/chains/[a-z]+/account-key\\.ts$' },
      ['^workers/signer/', '^lib/keys/', '^lib/chains/[a-z]+/(chain|define-[a-z]+-chain)\\.ts$', '^testing/'],
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)\\.next/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
