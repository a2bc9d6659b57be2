import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import { printable } from '../../document/words/shortened.ts';
import { type BoxServer, FONT_FAMILY } from '../../report/diagram.ts';
import { alongRow, saveFile } from '../elements.tsx';
import {
  firstView,
  moved,
  type Spot,
  scaleIn,
  spotAt,
  type ViewBox,
  viewBoxText,
  wholeOf,
  zoomed,
} from '../model/svg.ts';
import { letterScale, type NodeManner, svgView } from './svg-view.tsx';
import { type Drawing, useDrawing } from './use-drawing.ts';

/** The picture of a result: to look around in, to choose servers from, to be saved. */
export function Picture({ result, ...props }: PictureProps) {
  const state = useDrawing(result);
  switch (state.kind) {
    case 'drawing':
      return <p class="picture-wait">Drawing …</p>;
    case 'failed':
      return (
        <p class="picture-wait">
          The picture could not be drawn. The table below has all that it would show.
        </p>
      );
    case 'drawn':
      return <Drawn drawing={state.drawing} {...props} />;
  }
}

interface PictureProps {
  readonly result: TraversalResult;
  /** Whether a server is pointed out. */
  readonly isPointedAt: (server: BoxServer) => boolean;
  readonly isOff: (server: BoxServer) => boolean;
  readonly choose: (servers: readonly BoxServer[]) => void;
  /** What users get near servers, in sentences; none where that does not matter. */
  readonly near: (servers: readonly BoxServer[]) => readonly string[];
  /** The name for saving, without its ending. */
  readonly fileName: string;
}

type DrawnProps = Omit<PictureProps, 'result'> & { readonly drawing: Drawing };

function Drawn({ drawing, fileName, near, ...props }: DrawnProps) {
  const [told, tell] = useState<readonly string[]>([]);
  const tellNothing = () => tell([]);
  const whole = wholeOf(drawing.tree.attributes.viewBox ?? '');
  const [view, setView] = useState<ViewBox>(whole);
  const frame = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const box = place.current?.getBoundingClientRect();
    setView(box === undefined ? whole : firstView(whole, box));
  }, [drawing]);
  const zoom = (factor: number, place?: Spot) => setView((now) => zoomed(now, factor, whole, place));
  const move = (across: number, down: number) => setView((now) => moved(now, across, down, whole));
  const looking = usePanZoom({ view, zoom, move });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') tellNothing();
    else if (step !== undefined) move(...step);
    else if (event.key === '+' || event.key === '=') zoom(CLOSER);
    else if (event.key === '-') zoom(1 / CLOSER);
    else if (event.key === '0') setView(whole);
    else return;
    event.preventDefault();
  };
  return (
    <div class="picture" ref={frame}>
      <PictureTools
        closer={() => zoom(CLOSER)}
        away={() => zoom(1 / CLOSER)}
        fit={() => setView(whole)}
        fullScreen={() => void toggleFullScreen(frame.current)}
        save={() => saveFile(`${fileName}.svg`, 'image/svg+xml', drawing.svg)}
      />
      <section
        class={`picture-view${view.width < whole.width ? ' closer' : ''}`}
        aria-label="Paths from the root to the answer. Arrow keys move it, plus and minus zoom; the table says the same."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move what is shown, as they do where text is scrolled
        tabIndex={0}
        ref={place}
        onKeyDown={onKeyDown}
        onMouseLeave={tellNothing}
        onFocusOut={tellNothing}
        {...looking}
      >
        {useMemo(() => {
          const point = (key: string) => tell(near(drawing.servers.get(key) ?? []));
          return svgView(drawing.tree, { viewBox: viewBoxText(view), ...mannerIn(drawing, props), point });
        }, [drawing, view, near, props.isPointedAt, props.isOff, props.choose])}
      </section>
      <p class="picture-near" role="status">
        {told.map((sentence) => printable(sentence)).join(' ')}
      </p>
    </div>
  );
}

/** The look and behaviour of each node. */
function mannerIn(
  { servers }: Drawing,
  { isPointedAt, isOff, choose }: Omit<DrawnProps, 'drawing' | 'fileName' | 'near'>,
) {
  const own = (key: string) => servers.get(key) ?? [];
  return {
    node: (key: string): NodeManner => {
      const shown = own(key);
      if (shown.length === 0) return { classes: '', hasServers: false };
      const off = shown.every(isOff) ? ['off'] : [];
      const pointed = shown.some(isPointedAt) ? ['pointed'] : [];
      return { classes: ['servers', ...off, ...pointed].join(' '), hasServers: true };
    },
    choose: (key: string) => choose(own(key)),
    letters: letterScale(FONT_FAMILY),
  };
}

async function toggleFullScreen(frame: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement !== null) await document.exitFullscreen();
  else await frame?.requestFullscreen();
}

const CLOSER = 1.4;
const STEP = 0.12;

const STEPS: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

interface PictureToolsProps {
  readonly closer: () => void;
  readonly away: () => void;
  readonly fit: () => void;
  readonly fullScreen: () => void;
  readonly save: () => void;
}

/** The buttons above a picture. Tab comes to them as one, arrow keys go along them. */
function PictureTools({ closer, away, fit, fullScreen, save }: PictureToolsProps) {
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

/** The view, and the ways to change it. */
interface Looking {
  readonly view: ViewBox;
  readonly zoom: (factor: number, place?: ReturnType<typeof spotAt>) => void;
  readonly move: (across: number, down: number) => void;
}

/** Pointers that are down, each with where it was last. */
type Held = Map<number, { readonly x: number; readonly y: number }>;

/** How far a pointer moves, in pixels, before it drags rather than chooses. */
const DRAG = 4;

/** Handlers with which a mouse drags and zooms (with Ctrl, as the page scrolls otherwise), and fingers pinch. */
function usePanZoom({ view, zoom, move }: Looking) {
  const held = useRef<Held>(new Map());
  const dragged = useRef(0);
  const placeOf = ({ clientX, clientY }: MouseEvent, frame: Element) => {
    const box = frame.getBoundingClientRect();
    return spotAt({ x: clientX - box.left, y: clientY - box.top }, box, view);
  };
  const spread = () => {
    const [one, other] = [...held.current.values()];
    return one === undefined || other === undefined
      ? undefined
      : Math.hypot(one.x - other.x, one.y - other.y);
  };
  const release = ({ pointerId }: PointerEvent) => void held.current.delete(pointerId);
  return {
    onPointerDown: ({ pointerId, clientX, clientY }: PointerEvent) => {
      if (held.current.size === 0) dragged.current = 0;
      held.current.set(pointerId, { x: clientX, y: clientY });
    },
    onPointerMove: (event: PointerEvent & { readonly currentTarget: Element }) => {
      const { pointerId, clientX, clientY, currentTarget } = event;
      const before = held.current.get(pointerId);
      if (before === undefined) return;
      const apart = spread();
      held.current.set(pointerId, { x: clientX, y: clientY });
      const [dx, dy] = [clientX - before.x, clientY - before.y];
      dragged.current += Math.hypot(dx, dy);
      if (dragged.current < DRAG) return;
      currentTarget.setPointerCapture(pointerId);
      const now = spread();
      if (apart !== undefined && now !== undefined) return zoom(now / apart, placeOf(event, currentTarget));
      const scale = scaleIn(currentTarget.getBoundingClientRect(), view);
      move(-dx / (scale * view.width), -dy / (scale * view.height));
    },
    onPointerUp: release,
    onPointerCancel: release,
    onClickCapture: (event: MouseEvent) => {
      if (dragged.current >= DRAG) event.stopPropagation();
    },
    onWheel: (event: WheelEvent & { readonly currentTarget: Element }) => {
      if (!event.ctrlKey && document.fullscreenElement === null) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / WHEEL), placeOf(event, event.currentTarget));
    },
  };
}

/** Turns of a wheel that come closer by e. */
const WHEEL = 300;
