import type { Sql } from '@/lib/db/database';

export interface PaymentRulesRow {
  toleranceBasisPoints: number;
  latePolicy: 'review' | 'accept';
}

const COLUMNS = 'tolerance_basis_points AS "toleranceBasisPoints", late_policy AS "latePolicy"';

/** A merchant's rules. */
export async function selectPaymentRules(sql: Sql, userId: number): Promise<PaymentRulesRow | null> {
  const { rows } = await sql.query<PaymentRulesRow>(`SELECT ${COLUMNS} FROM user_account WHERE id = $1`, [userId]);
  return rows[0] ?? null;
}

/** Stores a merchant's rules. */
export async function updatePaymentRules(sql: Sql, userId: number, rules: PaymentRulesRow): Promise<void> {
  await sql.query('UPDATE user_account SET tolerance_basis_points = $2, late_policy = $3::late_policy WHERE id = $1', [
    userId,
    rules.toleranceBasisPoints,
    rules.latePolicy,
  ]);
}
