/** The line of the log that the reader points at: boards light up its place. */
import type { Line } from "./types";

let line: Line | null = $state.raw(null);
let kept = $state(false);

export const lit = {
  get line(): Line | null {
    return line;
  },
  /** Whether it was tapped: it stays lit until another line is pointed at. */
  get kept(): boolean {
    return kept;
  },
  point(at: Line | null): void {
    if (at === null && kept) return;
    line = at;
    kept = false;
  },
  keep(at: Line): void {
    line = at;
    kept = true;
  },
  clear(): void {
    line = null;
    kept = false;
  },
};

/** Light up elements of the page until the returned function is called; what scrolls away comes into view. */
export function light(selectors: string[]): () => void {
  const found = selectors.flatMap((selector) => [...document.querySelectorAll(selector)]);
  for (const one of found) {
    one.setAttribute("data-lit", "");
    // Not drawings: the board moves its own camera, and a clipped drawing must not be scrolled.
    if (one instanceof HTMLElement) one.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  return () => found.forEach((one) => one.removeAttribute("data-lit"));
}
