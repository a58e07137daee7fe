import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { addressCodec } from '@/lib/chains/registry';
import { configuredChain } from '@/lib/config/chains';
import { requireEnv } from '@/lib/config/env';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { DatabaseClock } from '@/lib/db/database-clock';
import { findPoolAddress } from '@/lib/deposits/credit-repository';
import { creditSurplus } from '@/lib/reconciliation/credit-surplus';
import { proveBalance } from '@/lib/reconciliation/prove-balance';
import { COIN_INFO, COINS, type Coin, chainOf } from '@/lib/shared/coins';
import { formatUnits } from '@/lib/shared/money';
import { runCommand } from './run-command';

const USAGE = `Usage: npm run credit -- <COIN> <address> [--block <height>] [--tx <hash>] [--operator <name>] [--note <text>]
  Credits what the address holds more than the records explain: money that came through a contract, which no scan sees.
  --block  the block in which it came; the node must prove it. Without, it counts as come in the last final block`;

interface Arguments {
  coin: Coin;
  text: string;
  arrivedIn: bigint | null;
  order: { operator: string; note: string | null; txHash: string | null };
}

function readArguments(): Arguments {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      block: { type: 'string' },
      tx: { type: 'string' },
      note: { type: 'string' },
      operator: { type: 'string', default: userInfo().username },
    },
  });
  const [name, text, ...rest] = positionals;
  const { block, tx = null, note = null, operator } = values;
  const coin = COINS.find((known) => known === name);
  const isGood = (block === undefined || /^\d{1,15}$/.test(block)) && (tx === null || /^[\w:+/=-]{1,128}$/.test(tx));
  if (!coin || !text || rest.length > 0 || !isGood || !operator) throw new Error(USAGE);
  return { coin, text, arrivedIn: block === undefined ? null : BigInt(block), order: { operator, note, txHash: tx } };
}

async function credit(db: Database, { coin, text, arrivedIn, order }: Arguments): Promise<bigint> {
  const address = addressCodec(chainOf(coin).family).parse(text);
  if (address === null) throw new Error(`${text} is no address of ${coin}.`);
  const poolAddressId = await findPoolAddress(db.pool, coin, address);
  if (poolAddressId === null) throw new Error(`${text} is no address of ours.`);
  const reader = await configuredChain(COIN_INFO[coin].chain).openReader({});
  const proven = await proveBalance(db, reader, { coin, address, poolAddressId, arrivedIn });
  const clock = new DatabaseClock(db);
  await clock.measure();
  return creditSurplus(db, proven, { ...order, at: clock.now() });
}

/** `npm run credit -- <COIN> <address>`: an operator's act that makes a deposit of an unexplained difference. */
runCommand(async () => {
  const given = readArguments();
  const db = openDatabase(requireEnv('DATABASE_URL'), { max: 1, applicationName: 'incassa-credit' });
  try {
    const units = await credit(db, given);
    if (units === 0n) throw new Error('Nothing on this address is unexplained: nothing was credited.');
    console.log(`${formatUnits(units, COIN_INFO[given.coin].decimals)} ${given.coin} were credited to ${given.text}.`);
  } finally {
    await closeDatabase(db);
  }
});
