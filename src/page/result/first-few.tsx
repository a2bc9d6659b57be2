import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { count } from '../../reading/words/quantities.ts';

interface FirstFewProps<T> {
  readonly items: readonly T[];
  /** How many are shown at first. */
  readonly most: number;
  /** Singular and plural. */
  readonly noun: readonly [one: string, many: string];
  readonly each: (item: T) => ComponentChildren;
  /** Wraps the items that are shown. */
  readonly around: (shown: ComponentChildren) => ComponentChildren;
}

/** The first of many items, and a button that shows the others. */
export function FirstFew<T>({ items, most, noun, each, around }: FirstFewProps<T>) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, most);
  const more = items.length - shown.length;
  return (
    <>
      {around(shown.map(each))}
      {more > 0 && (
        <p>
          <button type="button" class="button" onClick={() => setWhole(true)}>
            Show {count(more, `more ${noun[0]}`, `more ${noun[1]}`)}
          </button>
        </p>
      )}
    </>
  );
}
