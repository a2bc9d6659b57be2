import { useRef, useState } from 'preact/hooks';
import { alongRow } from '../parts/along-row.ts';

interface PictureToolsProps {
  readonly closer: () => void;
  readonly away: () => void;
  readonly fit: () => void;
  readonly fullScreen: () => void;
  readonly save: () => void;
}

/** The buttons above a picture. Tab comes to them as one, arrow keys go along them. */
export function PictureTools({ closer, away, fit, fullScreen, save }: PictureToolsProps) {
  const [current, setCurrent] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  const tools = [
    { sign: '+', label: 'Zoom in', title: 'Zoom in (+)', act: closer },
    { sign: '−', label: 'Zoom out', title: 'Zoom out (-)', act: away },
    { sign: 'Fit', label: undefined, title: 'Show all of it (0)', act: fit },
    { sign: 'Full screen', label: undefined, title: undefined, act: fullScreen },
    { sign: 'Save SVG', label: undefined, title: undefined, act: save },
  ];
  const walk = (event: KeyboardEvent) => {
    const next = alongRow(event.key, current, tools.length);
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    row.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div class="picture-tools" role="toolbar" aria-label="Picture" ref={row} onKeyDown={walk}>
      {tools.map(({ sign, label, title, act }, at) => (
        <button
          key={sign}
          type="button"
          class="button"
          tabIndex={at === current ? 0 : -1}
          aria-label={label}
          title={title}
          onFocus={() => setCurrent(at)}
          onClick={act}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}
