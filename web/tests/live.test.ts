/** What a live table shows, and when: one step after the other, and nothing that was taken back. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Live } from "../src/lib/live.svelte";
import { settings, SPEEDS } from "../src/lib/settings.svelte";
import type { Line } from "../src/lib/types";

let socket: { readyState: number; onmessage?: (event: { data: string }) => void; send(): void; close(): void };
let live: Live;
let hidden = false;

beforeEach(async () => {
  vi.useFakeTimers();
  settings.speed = "normal";
  hidden = false;
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ seats: [0] }), { status: 200 })));
  vi.stubGlobal(
    "WebSocket",
    class {
      static OPEN = 1;
      readyState = 1;
      constructor() {
        // eslint-disable-next-line @typescript-eslint/no-this-alias -- the test speaks through it
        socket = this;
      }
      send(): void {}
      close(): void {}
    },
  );
  live = new Live("t");
  await vi.waitFor(() => expect(socket).toBeTruthy());
  hear({ type: "hello", now: 0 });
});
afterEach(() => {
  live.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const hear = (message: object): void => socket.onmessage?.({ data: JSON.stringify(message) });
const line = (n: number): Line => ({ seat: n % 3, do: `move${n}` }) as Line;
const log = (length: number): Line[] => Array.from({ length }, (_, i) => line(i));
let seq = 0;

/** The house sends the table with so many lines in its log. */
function show(lines: number, more: object = {}): void {
  const view = { seq: ++seq, status: "running", you: 0, counting: null, pace: { tick: 0 }, log: log(lines), ...more };
  if (!live.shown) hear({ type: "view", seat: 0, seq, view });
  else hear({ type: "update", seat: 0, after: seq - 1, seq, patch: Object.entries(view).map(([key, value]) => [[key], value]) });
}

test("several moves are shown one after the other at the chosen pace", () => {
  show(1);
  for (const lines of [2, 3, 4]) show(lines);
  expect([live.shown!.log.length, live.behind]).toEqual([2, 2]);
  vi.advanceTimersByTime(SPEEDS.normal);
  expect([live.shown!.log.length, live.behind]).toEqual([3, 1]);
  live.skip();
  expect([live.shown!.log.length, live.behind, live.news]).toEqual([4, 0, [line(3)]]);
});

test("what an undo took back is not shown any more, not even what was still to be shown", () => {
  show(1);
  for (const lines of [2, 3, 4, 1]) show(lines);
  expect([live.shown!.log.length, live.behind, live.news]).toEqual([1, 0, []]);
  vi.advanceTimersByTime(10 * SPEEDS.slow);
  expect(live.shown!.log.length).toBe(1);
});

test("a falling price waits for no animation", () => {
  show(1);
  for (const lines of [2, 3]) show(lines);
  show(4, { counting: 5, pace: { tick: 2 } });
  expect([live.shown!.log.length, live.behind, live.news]).toEqual([4, 0, [line(2), line(3)]]);
});

test("a page that is hidden shows everything at once, so that its alert comes in time", () => {
  show(1);
  for (const lines of [2, 3, 4]) show(lines);
  hidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
  expect([live.shown!.log.length, live.behind]).toEqual([4, 0]);
  show(6);
  expect(live.news).toEqual([line(4), line(5)]);
});
