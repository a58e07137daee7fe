import { z } from 'zod';
import { MAX_DESCRIPTION_LENGTH } from '@/lib/shared/limits';
import { CoinSchema, DecimalText, IsoDate, PageQuery, pageOf, UnitsText } from './common';

/** Money on one of our addresses that belongs to no wallet of its coin. */
export const UnattributedView = z.object({
  id: z.string(),
  cryptoType: CoinSchema,
  amount: DecimalText,
  amountUnits: UnitsText,
  hash: z.string(),
  from: z.string().nullable(),
  address: z.string(),
  timestamp: IsoDate,
  /** Whose address it is on another network, and which invoice's: who probably should get it. */
  ownerEmail: z.string().nullable(),
  invoiceUuid: z.string().nullable(),
});
export type UnattributedView = z.infer<typeof UnattributedView>;

export const UnattributedList = pageOf(UnattributedView);
export const UnattributedQuery = z.object(PageQuery);

export const AttachDepositBody = z.object({
  /** A wallet's number or uuid, or an invoice's uuid. */
  target: z
    .string({ error: 'Indica un wallet o una fattura.' })
    .trim()
    .min(1, 'Indica un wallet o una fattura.')
    .max(50),
  note: z.string().trim().max(MAX_DESCRIPTION_LENGTH, 'Nota troppo lunga.').nullish(),
});
export const DepositParam = z.object({ id: z.string().regex(/^[1-9]\d{0,17}$/) });
export const AttachDepositView = z.object({ success: z.literal(true) });
