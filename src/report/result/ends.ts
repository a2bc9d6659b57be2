import type { EndRow } from '../../document/ends.ts';
import { type End, endKey } from '../../evaluate/end.ts';
import { getOrMake } from '../../get-or-make.ts';

/** The ends that paths come to, numbered from "e1" in the order in which they are met. Equal ends are one. */
export class Ends {
  readonly #rows = new Map<string, EndRow>();
  /** Most ends come as the same object again and again. */
  readonly #ids = new Map<End, string>();

  /** The identifier of an end. */
  id(end: End): string {
    const make = (): EndRow => ({ id: `e${this.#rows.size + 1}`, ...end });
    return getOrMake(this.#ids, end, () => getOrMake(this.#rows, endKey(end), make).id);
  }

  /** Every end met so far. */
  get rows(): readonly EndRow[] {
    return [...this.#rows.values()];
  }
}
