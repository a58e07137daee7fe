import { z } from 'zod';
import { CoinSchema, DecimalText, IsoDate } from './common';

export const PriceQuery = z.object({ symbol: CoinSchema, currency: z.literal('EUR').default('EUR') });
export const PriceView = z.object({ symbol: CoinSchema, currency: z.literal('EUR'), price: DecimalText, at: IsoDate });
