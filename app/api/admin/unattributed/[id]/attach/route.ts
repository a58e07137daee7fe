import { AttachDepositBody, AttachDepositView, DepositParam } from '@/lib/api-schema/unattributed';
import { attachDeposit } from '@/lib/deposits/unattributed';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';

/** POST /api/admin/unattributed/{id}/attach: the operator gives such money to a wallet or an invoice. */
export const POST = defineRoute({
  auth: 'admin',
  params: DepositParam,
  body: AttachDepositBody,
  response: AttachDepositView,
  handler: async ({ db, principal, params, body }) => {
    const { target, note = null } = body;
    await attachDeposit(db, { depositId: params.id, target, note, operator: principal.user.email });
    return { success: true } as const;
  },
});

export const { GET, HEAD, PUT, PATCH, DELETE } = otherMethods('POST');
