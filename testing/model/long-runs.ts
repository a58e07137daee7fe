import fc from 'fast-check';

/**
 * Sequences of commands with a least length: `fc.commands` draws every length alike and has no minimum. A failure still
 * shrinks below it.
 */
export class LongRuns<T extends Iterable<unknown>> extends fc.Arbitrary<T> {
  readonly #runs: fc.Arbitrary<T>;
  readonly #minLength: number;

  constructor(runs: fc.Arbitrary<T>, minLength: number) {
    super();
    this.#runs = runs;
    this.#minLength = minLength;
  }

  generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    for (;;) {
      const drawn = this.#runs.generate(random, biasFactor);
      if ([...drawn.value_].length >= this.#minLength) return drawn;
    }
  }

  canShrinkWithoutContext(_value: unknown): _value is T {
    return false;
  }

  shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#runs.shrink(value, context);
  }
}
