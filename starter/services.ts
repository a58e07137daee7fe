import { type Running, type Supervised, supervise } from './supervise';

/** In the order in which they start; they stop in the opposite one, because each needs those before it. */
const LAYERS = ['database', 'devnet', 'product'] as const;
export type Layer = (typeof LAYERS)[number];

/** Every process promises to end so soon after it is asked to. */
const STOPS_WITHIN_MS = 5_000;

/** Everything that the starter keeps running. */
export class Services {
  readonly #running: { layer: Layer; name: string; service: Supervised }[] = [];
  readonly #tell: (line: string) => void;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  /** Starts something and keeps it running until `stopAll`. Throws when the first start fails. */
  async add(layer: Layer, name: string, start: () => Promise<Running>): Promise<void> {
    const service = await supervise(name, start, this.#tell);
    this.#running.push({ layer, name, service });
  }

  /** Process numbers at this moment, by name. */
  pids(): Record<string, number> {
    return Object.fromEntries(this.#running.map(({ name, service }) => [name, service.pid()]));
  }

  /** Stops layer by layer and waits. Says what took longer than it should. */
  async stopAll(): Promise<void> {
    for (const layer of LAYERS.toReversed()) {
      const members = this.#running.filter((member) => member.layer === layer);
      await Promise.allSettled(members.map((member) => this.#stop(member)));
    }
  }

  async #stop({ name, service }: { name: string; service: Supervised }): Promise<void> {
    const begunAt = performance.now();
    await service.stop();
    const tookMs = performance.now() - begunAt;
    if (tookMs > STOPS_WITHIN_MS) this.#tell(`${name} took ${(tookMs / 1000).toFixed(1)} s to stop`);
  }
}
