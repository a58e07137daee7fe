import { coinLook } from '@/components/ui/coin-token';
import type { WalletShare } from './total-value';

const WIDTH = 1000;
const GAP = 7;

/** How the total divides among the coins: a bar, and the same in words. */
export function ShareBar({ shares }: { shares: readonly WalletShare[] }) {
  const total = shares.reduce((sum, { cents }) => sum + cents, 0n);
  const drawn = WIDTH - GAP * (shares.length - 1);
  let x = 0;
  return (
    <div>
      <svg
        viewBox={`0 0 ${WIDTH} 8`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="block h-2 w-full overflow-hidden rounded-[4px]"
      >
        {shares.map(({ wallet, cents }) => {
          const width = (Number((cents * 100_000n) / total) / 100_000) * drawn;
          const bar = (
            <rect key={wallet.uuid} x={x} y="0" width={width} height="8" className={coinLook(wallet.cryptoType).fill} />
          );
          x += width + GAP;
          return bar;
        })}
      </svg>
      <ul className="mt-3 flex flex-wrap gap-x-3.5 gap-y-1 text-xs text-ink-2">
        {shares.map(({ wallet, percent }) => (
          <li key={wallet.uuid} className="inline-flex items-center gap-1.5">
            <svg viewBox="0 0 8 8" aria-hidden="true" className="size-2">
              <rect width="8" height="8" rx="2" className={coinLook(wallet.cryptoType).fill} />
            </svg>
            {wallet.cryptoType} {percent === 0 ? '<1' : percent}%
          </li>
        ))}
      </ul>
    </div>
  );
}
