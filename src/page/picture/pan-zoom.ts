import { useRef } from 'preact/hooks';
import { scaleIn, spotAt, type ViewBox } from '../model/svg.ts';

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
export function usePanZoom({ view, zoom, move }: Looking) {
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
