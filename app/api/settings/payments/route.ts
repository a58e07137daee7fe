import { PaymentRules } from '@/lib/api-schema/payment-rules';
import { getPaymentRules, setPaymentRules } from '@/lib/auth/payment-rules';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';

/** GET /api/settings/payments: how the merchant takes payments that do not fit to the letter. */
export const GET = defineRoute({
  auth: 'session',
  response: PaymentRules,
  handler: ({ db, principal }) => getPaymentRules(db, principal.userId),
});

/** PUT /api/settings/payments: changes it. */
export const PUT = defineRoute({
  auth: 'session',
  body: PaymentRules,
  response: PaymentRules,
  handler: ({ db, principal, body }) => setPaymentRules(db, principal.userId, body),
});

export const { HEAD, POST, PATCH, DELETE } = otherMethods('GET', 'PUT');
