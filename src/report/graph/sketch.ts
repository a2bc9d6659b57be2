import { add, type Fraction, ZERO } from '../../evaluate/fraction.ts';
import type { Arrow, Box } from './diagram.ts';

/** A box before it is known how much comes to it. */
export type BlankBox = Omit<Box, 'probability'>;

/** A diagram in the making: what is drawn twice is one, and parts of paths that go the same way add up. */
export class Sketch {
  readonly #boxes = new Map<string, BlankBox>();
  readonly #arrows = new Map<string, Arrow>();
  /** What comes to a box, from other boxes or from the outset. */
  readonly #arrived = new Map<string, Fraction>();

  /** Draws a box, unless one of its key is there. */
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
