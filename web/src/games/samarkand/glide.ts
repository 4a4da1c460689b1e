/** Panning and zooming the map by touch, mouse, wheel and keyboard. */
import { held, zoomed, type Camera, type Size } from "./camera";

export interface Sight {
  get(): Camera;
  /** `slow`: animate instead of jumping. */
  set(camera: Camera, slow?: boolean): void;
  map(): Size;
  window(): Size;
  /** Fit the map into the window. */
  whole(): void;
}

/** How many pixels a touch may move before it becomes a drag. */
const TREMBLE = 7;
const DOUBLE = 320;
const STEP = 1.5;
const ARROWS: Record<string, [number, number]> = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Attach to the window of the map. */
export function glide(sight: Sight) {
  return (node: HTMLElement): (() => void) => {
    const fingers = new Map<number, { x: number; y: number }>();
    let start = { x: 0, y: 0 };
    let dragging = false;
    let lastTap = 0;

    const place = (event: MouseEvent): { x: number; y: number } => {
      const box = node.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const zoom = (factor: number, at: { x: number; y: number }, slow = false): void =>
      sight.set(zoomed(sight.get(), factor, at, sight.map(), sight.window()), slow);
    const middle = (): { x: number; y: number } => ({ x: sight.window().width / 2, y: sight.window().height / 2 });

    function down(event: PointerEvent): void {
      if (event.button || (event.target as Element).closest("button")) return;
      fingers.set(event.pointerId, place(event));
      if (fingers.size === 1) [start, dragging] = [place(event), false];
    }

    function move(event: PointerEvent): void {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = place(event);
      if (!dragging) {
        if (fingers.size === 1 && Math.hypot(now.x - start.x, now.y - start.y) < TREMBLE) return;
        dragging = true;
        for (const id of fingers.keys()) node.setPointerCapture(id);
      }
      const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      fingers.set(event.pointerId, now);
      const other = others[0];
      const camera = sight.get();
      if (!other) {
        sight.set(held({ ...camera, x: camera.x + now.x - before.x, y: camera.y + now.y - before.y }, sight.map(), sight.window()));
        return;
      }
      const grown = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
      zoom(grown, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      const moved = sight.get();
      sight.set(held({ ...moved, x: moved.x + (now.x - before.x) / 2, y: moved.y + (now.y - before.y) / 2 }, sight.map(), sight.window()));
    }

    function up(event: PointerEvent): void {
      fingers.delete(event.pointerId);
    }

    /** A drag is not a click; a double click on the map zooms. */
    function click(event: MouseEvent): void {
      if (dragging) {
        dragging = false;
        event.stopPropagation();
        return;
      }
      if ((event.target as Element).closest("[role=button], button")) return;
      const now = event.timeStamp;
      if (now - lastTap < DOUBLE) {
        zoom(2, place(event), true);
        lastTap = 0;
      } else lastTap = now;
    }

    function wheel(event: WheelEvent): void {
      event.preventDefault();
      const notch = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
      zoom(Math.exp(-event.deltaY * notch * (event.ctrlKey ? 0.01 : 0.0016)), place(event));
    }

    function key(event: KeyboardEvent): void {
      if ((event.target as Element | null)?.closest?.("input, textarea, select, dialog")) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "+" || event.key === "=") zoom(STEP, middle(), true);
      else if (event.key === "-") zoom(1 / STEP, middle(), true);
      else if (event.key === "0") sight.whole();
      else if (event.key in ARROWS && node.contains(event.target as Node) && !event.defaultPrevented) {
        const [dx, dy] = ARROWS[event.key]!;
        const { k, x, y } = sight.get();
        event.preventDefault();
        sight.set(held({ k, x: x + dx * 90, y: y + dy * 90 }, sight.map(), sight.window()), true);
      }
    }

    node.addEventListener("pointerdown", down);
    node.addEventListener("pointermove", move);
    node.addEventListener("pointerup", up);
    node.addEventListener("pointercancel", up);
    node.addEventListener("click", click, true);
    node.addEventListener("wheel", wheel, { passive: false });
    window.addEventListener("keydown", key);
    return () => window.removeEventListener("keydown", key);
  };
}
