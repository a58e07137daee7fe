import type { ScannedBlock } from '@/lib/chains/types';
import type { Logger } from '@/lib/logging/logger';
import type { Chain } from '@/lib/shared/chains';
import type { Cursor, PauseReason } from './cursor';

/** Tells the operator what left our addresses: the product sends nothing yet, so whoever moved it has one of our keys. */
export function reportOutgoing(logger: Logger, chain: Chain, blocks: readonly ScannedBlock[]): void {
  for (const { txHash, coin, from, amountUnits, feeUnits } of blocks.flatMap(({ outgoing }) => outgoing))
    logger.error(
      { chain, txHash, coin, from, amountUnits, feeUnits },
      'money left one of our addresses without the product',
    );
}

/** Tells the operator that a chain is paused. @param pause.height where its cursor stands; undefined when it is not known */
export function reportPause(
  logger: Logger,
  { chain, reason, height }: { chain: Chain; reason: PauseReason; height: bigint | null | undefined },
): void {
  logger.error({ chain, reason, cursor: height }, 'chain paused: nothing is credited');
}

/** Tells the operator that a chain that was paused goes on; of one that was not there is nothing to tell. */
export function reportResumption(logger: Logger, { chain, pausedReason }: Cursor): void {
  if (pausedReason !== null) logger.warn({ chain, pausedReason }, 'the known chain is back: crediting goes on');
}
