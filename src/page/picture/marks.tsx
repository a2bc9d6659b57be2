import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { alongRow } from '../elements.tsx';
import { MarkSign, type MarkStatus, STATUSES } from './server-mark.tsx';

/** A server as its mark shows it. */
export interface Mark {
  readonly key: string;
  /** Name and address. */
  readonly title: string;
  readonly status: MarkStatus;
}

interface MarksProps<M extends Mark> {
  /** What a screen reader calls the row. */
  readonly label: string;
  readonly marks: readonly M[];
  /** What a mark tells besides when it is pointed at, has the focus or is tapped. */
  readonly tell: (mark: M) => ComponentChildren;
  /** A click opens more. */
  readonly choose?: (mark: M) => void;
}

/** A mark for each server of a zone. Tab comes to the row, arrow keys go along it, Escape closes what a mark tells. */
export function Marks<M extends Mark>({ label, marks, tell, choose }: MarksProps<M>) {
  const [current, setCurrent] = useState<string>();
  const { open, hold, hover, close } = useOpenMark();
  const tip = useId();
  const row = useRef<HTMLDivElement>(null);
  const shown = marks.find(({ key }) => key === open);
  // Others may have come before it.
  const place = Math.max(
    0,
    marks.findIndex(({ key }) => key === current),
  );
  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    const next = alongRow(event.key, place, marks.length);
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(marks[next]?.key);
    row.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div
      class="marks"
      role="toolbar"
      aria-label={label}
      ref={row}
      onKeyDown={walk}
      onMouseLeave={() => hover(undefined)}
    >
      {marks.map((mark, at) => (
        <button
          key={mark.key}
          type="button"
          class="mark"
          tabIndex={at === place ? 0 : -1}
          aria-label={`${mark.title}: ${STATUSES[mark.status].words}`}
          aria-describedby={open === mark.key ? tip : undefined}
          data-open={open === mark.key}
          onFocus={() => {
            setCurrent(mark.key);
            hold(mark.key);
          }}
          onBlur={() => hold(undefined)}
          onMouseEnter={() => hover(mark.key)}
          onClick={() => (choose === undefined ? hold(mark.key) : choose(mark))}
        >
          <MarkSign status={mark.status} />
        </button>
      ))}
      {shown !== undefined && (
        <div class="tip" role="tooltip" id={tip}>
          <p>
            <b>{shown.title}</b>{' '}
            <span class={`server-status effect-${STATUSES[shown.status].effect}`}>
              {STATUSES[shown.status].words}
            </span>
          </p>
          {tell(shown)}
        </div>
      )}
    </div>
  );
}

/**
 * Which mark of a row tells more: the one under the pointer, else the one that has the focus or was tapped. So a page that
 * moves under a resting pointer takes nothing away.
 */
function useOpenMark() {
  const [held, setHeld] = useState<string>();
  const [hovered, setHovered] = useState<string>();
  const hold = (key: string | undefined) => {
    setHeld(key);
    if (key !== undefined) setHovered(undefined);
  };
  const close = () => {
    setHeld(undefined);
    setHovered(undefined);
  };
  return { open: hovered ?? held, hold, hover: setHovered, close };
}
