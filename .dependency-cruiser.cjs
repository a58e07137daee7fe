/** The rooms of the house and who may enter which (docs/architecture.md). Each rule says what to do instead. */

/** Domains, low to high: a domain imports only those before it. */
const DOMAINS = [
  ['rates'],
  ['ledger'],
  ['mail'],
  ['api-keys'],
  ['auth'],
  ['webhooks', 'wallets'],
  ['deposits', 'withdrawals'],
  ['invoices'],
  ['exchange'],
];

const TEST = '\\.(test|spec)\\.tsx?$';
const GENERATED = '^lib/db/generated/';

const domainOrder = DOMAINS.flatMap((level, index) => {
  const higher = DOMAINS.slice(index + 1).flat();
  return level.map((domain) => {
    const beside = level.filter((other) => other !== domain);
    return {
      name: `domain-order-${domain}`,
      comment: `${domain} may import lower domains only: move the shared piece down, or pass it in from the caller.`,
      severity: 'error',
      from: { path: `^lib/${domain}/`, pathNot: TEST },
      to: { path: `^lib/(${[...higher, ...beside].join('|') || 'none'})/` },
    };
  });
});

const only = (name, comment, target, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: '^(app|components|lib|workers|prisma|devnet|bench)/', pathNot: [TEST, ...allowed] },
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
      name: 'not-to-test',
      comment: 'Product code must not use test code.',
      severity: 'error',
      from: { path: '^(app|components|lib|workers|prisma|devnet)/', pathNot: [TEST, '^lib/testing/'] },
      to: { path: [TEST, '^lib/testing/'] },
    },
    {
      name: 'shared-is-a-leaf',
      comment: 'lib/shared runs in a browser and imports nothing of ours.',
      severity: 'error',
      from: { path: '^lib/shared/', pathNot: TEST },
      to: { path: '^(app|components|workers|prisma|devnet|bench)/|^lib/(?!shared/)' },
    },
    {
      name: 'contract-imports-shared',
      comment: 'lib/contract describes what crosses the border and imports lib/shared only.',
      severity: 'error',
      from: { path: '^lib/contract/', pathNot: TEST },
      to: { path: '^(app|components|workers|prisma|devnet|bench)/|^lib/(?!(shared|contract)/)' },
    },
    {
      name: 'client-imports-contract',
      comment: 'lib/client runs in a browser: contract and shared only.',
      severity: 'error',
      from: { path: '^lib/client/', pathNot: TEST },
      to: { path: '^(app|components|workers|prisma|devnet|bench)/|^lib/(?!(shared|contract|client)/)' },
    },
    {
      name: 'components-import-client',
      comment: 'Components get their data from lib/client or as props, never from a domain.',
      severity: 'error',
      from: { path: '^components/', pathNot: TEST },
      to: { path: '^(app|workers|prisma|devnet|bench)/|^lib/(?!(shared|contract|client)/)' },
    },
    {
      name: 'nothing-imports-app-or-workers',
      comment: 'app and workers are entrances: move the shared piece into lib.',
      severity: 'error',
      from: { path: '^(components|lib|prisma)/', pathNot: [TEST, '^lib/testing/'] },
      to: { path: '^(app|workers|devnet|bench|e2e)/' },
    },
    {
      name: 'app-not-to-workers',
      comment: 'The web process must not load worker code.',
      severity: 'error',
      from: { path: '^app/' },
      to: { path: '^(workers|devnet|bench)/' },
    },
    only('only-app-imports-http', 'lib/http belongs to route handlers.', { path: '^lib/http/' }, [
      '^app/',
      '^lib/http/',
    ]),
    ...domainOrder,
    {
      name: 'chains-know-no-domain',
      comment: 'A chain adapter knows the chain: no domain, no database.',
      severity: 'error',
      from: { path: '^lib/chains/', pathNot: TEST },
      to: { path: `^lib/(${DOMAINS.flat().join('|')}|db|security|http|client|contract)/` },
    },
    {
      name: 'chains-know-no-other-chain',
      comment: 'What two chains share goes to lib/chains/support.',
      severity: 'error',
      from: { path: '^lib/chains/(evm|tron|ton|litecoin)/', pathNot: TEST },
      to: { path: '^lib/chains/(evm|tron|ton|litecoin)/', pathNot: '^lib/chains/$1/' },
    },
    {
      name: 'domains-reach-chains-by-the-port',
      comment: 'Domains use lib/chains/{types,registry}; the registry loads the chain.',
      severity: 'error',
      from: { path: `^lib/(${DOMAINS.flat().join('|')})/`, pathNot: TEST },
      to: { path: '^lib/chains/(evm|tron|ton|litecoin|support)/' },
    },
    only(
      'chain-sdks-stay-in-chains',
      'Chain SDKs live behind the chain port.',
      { path: 'node_modules/(ethers|tronweb|@ton/|bitcoinjs-lib)' },
      ['^lib/chains/', '^devnet/', '^bench/', '^lib/testing/'],
    ),
    only(
      'frameworks-stay-on-top',
      'Domains and workers must run without Next and React.',
      { path: 'node_modules/(next|next-auth|react|react-dom|server-only)/' },
      ['^app/', '^components/', '^lib/http/', '^lib/client/'],
    ),
    only(
      'prisma-stays-in-repositories',
      'Queries live in the repository of their domain.',
      { path: '^lib/db/generated/|node_modules/@prisma/' },
      ['^lib/db/', 'repository\\.ts$', '^prisma/', '^lib/testing/'],
    ),
    only(
      'seed-material-stays-with-the-signer',
      'Only the signer may open the seed.',
      { path: '^lib/security/vault\\.ts$|^lib/chains/[a-z]+/account-key\\.ts$' },
      ['^workers/signer/', '^lib/testing/', '^lib/security/vault'],
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
