import type { WorkerRole } from './parse-roles';
import type { RoleContext } from './worker-context';

/** Loaded when named, so that a process holds the code, and the secrets, of its own roles only. */
const START: Record<WorkerRole, () => Promise<(context: RoleContext) => Promise<void>>> = {
  watcher: async () => (await import('@/workers/watcher/start')).startWatcher,
  dispatcher: async () => (await import('@/workers/dispatcher/start')).startDispatcher,
  signer: async () => (await import('@/workers/signer/start')).startSigner,
};

/**
 * Runs roles side by side until each has put its work down after the signal's abort.
 * @throws what a role throws, as soon as it does: a process that has lost a role must not look healthy
 */
export async function runRoles(roles: readonly WorkerRole[], context: RoleContext): Promise<void> {
  await Promise.all(
    roles.map(async (role) => {
      const start = await START[role]();
      await start({ ...context, logger: context.logger.child({ role }) });
    }),
  );
}
