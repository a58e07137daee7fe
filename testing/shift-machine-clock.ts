const TrueDate = globalThis.Date;
let shiftMs = 0;

/** Sets what this process takes for the machine's clock `ms` off; 0 sets it right again. What cannot be set goes on. */
export function shiftMachineClock(ms: number): void {
  shiftMs = ms;
  globalThis.Date = ShiftedDate;
}

/** The time as it is. */
export function trueNow(): Date {
  return new TrueDate();
}

const ShiftedDate: DateConstructor = new Proxy(TrueDate, {
  construct: (target, args: unknown[]) =>
    Reflect.construct(target, args.length > 0 ? args : [target.now() + shiftMs]) as Date,
  apply: (target) => new target(target.now() + shiftMs).toString(),
  get: (target, name) => (name === 'now' ? () => target.now() + shiftMs : Reflect.get(target, name)),
});

/**
 * Loaded before a process (`node --import`), with MACHINE_CLOCK_SHIFT_MS in its environment: its clock is so far off from its
 * first moment on, and jumps to the other side at each SIGUSR2.
 */
// biome-ignore lint/style/noProcessEnv: read before anything of the product is loaded.
const fromStart = Number(process.env.MACHINE_CLOCK_SHIFT_MS ?? 0);
if (fromStart !== 0) {
  shiftMachineClock(fromStart);
  process.on('SIGUSR2', () => shiftMachineClock(-shiftMs));
}
