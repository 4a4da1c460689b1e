/** Work that waits for the screen: first what was touched answers, then the rest follows. */
import { flushSync, untrack } from "svelte";

/** How long pieces are made before the browser may paint and answer again, in milliseconds. */
const TURN = 4;
const waiting = new Set<() => void>();
let asked = false;

/** Run something in a task of its own once the next frame is painted; at once where nothing is painted. */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    timer = setTimeout(run);
  };
  const frame = document.hidden ? soon() : requestAnimationFrame(soon);
  return () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

function next(): void {
  asked = false;
  const end = performance.now() + TURN;
  for (const run of waiting) {
    waiting.delete(run);
    run();
    flushSync();
    if (performance.now() > end) break;
  }
  if (waiting.size) ask();
}

function ask(): void {
  if (asked) return;
  asked = true;
  afterPaint(next);
}

/** Make a piece of the page when its turn comes: one after the other, with a frame between those that take long. */
export function inTurn(run: () => void): () => void {
  waiting.add(run);
  ask();
  return () => waiting.delete(run);
}

/** A value that follows another one when the frame in which that changed is painted. To be called in a component. */
export function following<T>(lead: () => T): { readonly current: T } {
  let current = $state.raw(untrack(lead));
  $effect(() => {
    const next = lead();
    if (next !== untrack(() => current)) return afterPaint(() => (current = next));
  });
  return {
    get current() {
      return current;
    },
  };
}
