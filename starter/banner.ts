import { CHAIN_INFO } from '@/lib/shared/chains';
import type { Instance } from './instance';

const PRIVATE = 'for this machine alone (HOST opens it to others)';
const ON_A_NETWORK: Record<Instance['mode'], string> = {
  embedded: 'for everybody who reaches this machine: no demo merchant, accounts only with REGISTRATION=open',
  production: 'for everybody who reaches this machine',
};

/**
 * The one thing to read after `npm start`.
 *
 * @param instance the running instance
 * @param seconds how long the start took
 */
export function banner(instance: Instance, seconds: number): string {
  const { devnet, demoMerchant, inboxUrl, databaseUrl, listensOn } = instance;
  const embedded = [
    ...(databaseUrl === null ? [] : ['PostgreSQL']),
    ...(devnet?.chains ?? []).map((chain) => `${CHAIN_INFO[chain].network} (local chain, test coins)`),
    ...(devnet === null || devnet.venues.length === 0 ? [] : [`price venues (${devnet.venues.join(', ')})`]),
    ...(inboxUrl === null ? [] : ['mail']),
  ];
  const rows = [
    ['Open', instance.publicUrl],
    ['Listens on', `${listensOn.host}, ${listensOn.isPrivate ? PRIVATE : ON_A_NETWORK[instance.mode]}`],
    ...(demoMerchant === null ? [] : [['Demo merchant', `${demoMerchant.email}  ${demoMerchant.password}`]]),
    ['Embedded', embedded.length === 0 ? 'nothing' : embedded.join(', ')],
    ...(inboxUrl === null ? [] : [['Mail inbox', inboxUrl]]),
    ['Data', instance.dataDir],
    ...(devnet?.chains.length ? [['Pay an invoice', 'npm run pay -- <pay URL>']] : []),
  ];
  const lines = rows.map(([label = '', value]) => `  ${label.padEnd(15)} ${value}`);
  const rule = '─'.repeat(Math.max(...lines.map((line) => line.length)) + 2);
  return [rule, `  Incassa is ready (${seconds.toFixed(1)} s)`, '', ...lines, rule].join('\n');
}
