import type { EndRow } from '../../document/ends.ts';
import { type End, endKey } from '../../evaluate/end.ts';

/** The ends that paths come to, numbered from "e1" in the order in which they are met. Equal ends are one. */
export class Ends {
  readonly #rows = new Map<string, EndRow>();

  /** The identifier of an end. */
  id(end: End): string {
    const key = endKey(end);
    const known = this.#rows.get(key);
    if (known !== undefined) return known.id;
    const id = `e${this.#rows.size + 1}`;
    this.#rows.set(key, { id, ...end });
    return id;
  }

  /** Every end met so far. */
  get rows(): readonly EndRow[] {
    return [...this.#rows.values()];
  }
}
