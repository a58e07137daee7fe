import { PriceQuery, PriceView } from '@/lib/api-schema/prices';
import { defineRoute } from '@/lib/http/define-route';
import { DOORS } from '@/lib/http/doors';
import { otherMethods } from '@/lib/http/other-methods';
import { getRate } from '@/lib/rates/get-rate';

/** GET /api/crypto/price?symbol={coin}&currency=EUR: EUR per coin. */
export const GET = defineRoute({
  auth: 'none',
  door: DOORS.price,
  query: PriceQuery,
  response: PriceView,
  handler: async ({ db, query, clock }) => {
    const { rate, fetchedAt } = await getRate(db, query.symbol, clock);
    return { symbol: query.symbol, currency: query.currency, price: rate, at: fetchedAt.toISOString() };
  },
});

export const { HEAD, POST, PUT, PATCH, DELETE } = otherMethods('GET');
