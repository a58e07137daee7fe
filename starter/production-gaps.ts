/** What production asks for in so many words, because embedded mode would make it up. Each entry: one of these names. */
const REQUIRED: readonly (readonly string[])[] = [
  ['DATABASE_URL'],
  ['WEB_DATABASE_URL', 'WEB_DB_PASSWORD'],
  ['WATCHER_DATABASE_URL', 'WATCHER_DB_PASSWORD'],
  ['DISPATCHER_DATABASE_URL', 'DISPATCHER_DB_PASSWORD'],
  ['SIGNER_DATABASE_URL', 'SIGNER_DB_PASSWORD'],
  ['AUTH_SECRET'],
  ['APP_SEAL_KEY'],
  ['KEK_FILE', 'KEK'],
  ['PUBLIC_URL'],
  ['ETH_RPC_URL'],
  ['SMTP_URL'],
];

/** Switches that are safe on a local chain only. */
const DEVNET_ONLY = ['ETH_DEVNET', 'WEBHOOK_ALLOW_LOOPBACK'];

/**
 * Why a configuration cannot run as `INCASSA_MODE=production`: one sentence that lists everything missing.
 *
 * @param source the environment; an empty text counts as absent
 * @returns undefined when nothing is missing
 */
export function productionGaps(source: Record<string, string | undefined>): string | undefined {
  const missing = REQUIRED.filter((names) => names.every((name) => !source[name]));
  const unsafe = DEVNET_ONLY.filter((name) => source[name] === '1');
  const reasons = [
    ...(missing.length > 0 ? [`needs ${missing.map((names) => names.join(' or ')).join(', ')}`] : []),
    ...(unsafe.length > 0 ? [`does not allow ${unsafe.map((name) => `${name}=1`).join(' or ')}`] : []),
  ];
  return reasons.length === 0 ? undefined : `INCASSA_MODE=production ${reasons.join(' and ')}.`;
}
