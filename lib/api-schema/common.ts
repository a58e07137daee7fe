import { z } from 'zod';
import { COINS } from '@/lib/shared/coins';
import { MAX_PAGE_SIZE } from '@/lib/shared/limits';

export const CoinSchema = z.enum(COINS, { error: 'Criptovaluta sconosciuta.' });

/** An amount in whole coins: a plain decimal text, 8 decimals in answers. */
export const DecimalText = z.string().regex(/^\d+(\.\d+)?$/);

/** Base units of a coin, as a text of digits. */
export const UnitsText = z.string().regex(/^\d+$/);

export const IsoDate = z.string().datetime();

/** Path parameter of every object: its number or its uuid. */
export const IdParam = z.object({ id: z.union([z.uuid(), z.string().regex(/^[1-9]\d{0,8}$/)]) });
export type IdParam = z.infer<typeof IdParam>;

/** In lower case, as the database spells it and notifies it. */
export const UuidParam = z.object({ id: z.uuid().toLowerCase() });

/**
 * A whole number in a query: digits alone, as a JSON body would have to spell it ("12", never "1e1", "0xc", " 12 ",
 * "12.0" or "012").
 */
const integerText = (min: number, max: number) =>
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,14})$/, 'Scrivi un numero intero, in sole cifre.')
    .transform(Number)
    .pipe(z.number().min(min).max(max));

/** Page of a list, from 1. */
export const PageQuery = {
  page: integerText(1, 1_000_000).default(1),
  pageSize: integerText(1, MAX_PAGE_SIZE).default(10),
};

/** The spec's list shape, with both names of the count. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item).max(MAX_PAGE_SIZE),
    page: z.number(),
    pageSize: z.number(),
    total: z.number(),
    totalItems: z.number(),
    totalPages: z.number(),
  });
}

/** A list without pages, which has at most so many items by its nature or is cut to them. */
export const itemsOf = <T extends z.ZodType>(item: T, most: number) => z.object({ items: z.array(item).max(most) });
