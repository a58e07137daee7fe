import { Decimal as BaseDecimal } from 'decimal.js';

/** Decimal arithmetic for prices, with more digits than any price column keeps. */
export const Decimal = BaseDecimal.clone({ precision: 60 });
export type Decimal = BaseDecimal;
