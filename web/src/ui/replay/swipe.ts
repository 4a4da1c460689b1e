/** A quick swipe of one finger to the side: 1 to the left, which goes on, and -1 to the right. */
import type { Attachment } from "svelte/attachments";

const FAR = 60;
const QUICK = 600;

/** Whether something below the finger moves sideways by itself. */
function moves(from: Element, room: Element): boolean {
  for (let one: Element | null = from; one && one !== room; one = one.parentElement) {
    const style = getComputedStyle(one);
    if (style.touchAction !== "auto") return true;
    if (one.scrollWidth > one.clientWidth + 4 && /auto|scroll/.test(style.overflowX)) return true;
  }
  return false;
}

export function swiped(step: (by: number) => void): Attachment {
  return (room) => {
    let start: Touch | null = null;
    let since = 0;
    const down = (event: Event): void => {
      const { touches, target, timeStamp } = event as TouchEvent;
      start = touches.length === 1 && !moves(target as Element, room) ? touches[0]! : null;
      since = timeStamp;
    };
    const up = (event: Event): void => {
      const end = (event as TouchEvent).changedTouches[0];
      if (!start || !end || event.timeStamp - since > QUICK) return;
      const [x, y] = [end.clientX - start.clientX, end.clientY - start.clientY];
      start = null;
      if (Math.abs(x) > FAR && Math.abs(x) > 2 * Math.abs(y)) step(x < 0 ? 1 : -1);
    };
    room.addEventListener("touchstart", down, { passive: true });
    room.addEventListener("touchend", up, { passive: true });
    return () => {
      room.removeEventListener("touchstart", down);
      room.removeEventListener("touchend", up);
    };
  };
}
