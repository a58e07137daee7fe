import type { Prisma } from './generated/client';

/** A column as node-postgres returns it under our parsers: Prisma's Decimal stands for whole base units. */
type Column<T> = T extends Prisma.Decimal ? bigint : T extends Prisma.JsonValue & object ? unknown : T;

/**
 * The named columns of a table as a statement returns them: `Row<Deposit, 'id' | 'amountUnits'>`. The names are those of
 * the generated model, so that a renamed column fails the compiler. A numeric with decimals (a rate) is not whole: select
 * it as a text and add it by hand.
 */
export type Row<Model, Columns extends keyof Model> = { [C in Columns]: Column<Model[C]> };

/** The same with every column nullable: the side of an outer join that may be missing. */
export type OuterRow<Model, Columns extends keyof Model> = { [C in Columns]: Column<Model[C]> | null };
