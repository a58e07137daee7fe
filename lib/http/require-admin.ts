import { AppError } from '@/lib/shared/errors';
import type { UserPrincipal } from './authenticate';

/** Lets operators pass. @throws AppError forbidden for everybody else */
export function requireAdmin({ user }: UserPrincipal): void {
  if (!user.isAdmin) throw new AppError('forbidden');
}
