import { Violation } from './violation';

/** A refusal needs one of the reasons that exist at that moment. @throws Violation */
export function refuseOnly(code: string, allowed: readonly string[]): void {
  if (!allowed.includes(code)) throw new Violation('refused without a reason', { code, allowed });
}
