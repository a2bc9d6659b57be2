import { add, type Fraction, ZERO } from '../../evaluate/fraction.ts';
import type { Arrow, Box } from './diagram.ts';

/** A box whose probability is not known yet. */
type BlankBox = Omit<Box, 'probability'>;

/** A diagram in the making: drawing a box twice has no effect, and paths that go the same way add up. */
export class Sketch {
  readonly #boxes = new Map<string, BlankBox>();
  readonly #arrows = new Map<string, Arrow>();
  /** The probability that arrives at each box, from other boxes or because paths begin there. */
  readonly #arrived = new Map<string, Fraction>();

  /** Draws a box unless there is one with its key. */
  box(box: BlankBox): void {
    if (!this.#boxes.has(box.key)) this.#boxes.set(box.key, box);
  }

  /** Lets paths begin at a box. */
  begin(at: string, probability: Fraction): void {
    this.#arrived.set(at, add(this.#arrived.get(at) ?? ZERO, probability));
  }

  path(from: string, to: string, probability: Fraction): void {
    const key = `${from}\n\n${to}`;
    const known = this.#arrows.get(key);
    const before = known?.kind === 'path' ? known.probability : ZERO;
    this.#arrows.set(key, { kind: 'path', from, to, probability: add(before, probability) });
    this.begin(to, probability);
  }

  get boxes(): readonly Box[] {
    return [...this.#boxes.values()].map((box) => ({
      ...box,
      probability: this.#arrived.get(box.key) ?? ZERO,
    }));
  }

  get arrows(): readonly Arrow[] {
    return [...this.#arrows.values()];
  }
}
