/** Things that fly over the page, such as coins to a purse. Only transforms and opacity change. */
import { settings } from "./settings.svelte";

export interface Spot {
  x: number;
  y: number;
}

const EASE = "cubic-bezier(0.3, 0, 0.2, 1)";

export const at = ({ x, y }: Spot, more = ""): string => `translate(${x}px, ${y}px) ${more}`;

export function middleOf(node: Element): Spot {
  const { left, top, width, height } = node.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** Where what a seat gets flies to: its purse, otherwise the player, or the upper edge if neither is in sight. */
export function purseOf(seat: number): Spot {
  const found = [`[data-purse="${seat}"]`, `.player[data-seat="${seat}"]`].flatMap((one) => [...document.querySelectorAll(one)]);
  const seen = found.find((node) => node.getBoundingClientRect().width > 0);
  return seen ? middleOf(seen) : { x: innerWidth / 2, y: 0 };
}

/** Show flights above everything; nothing moves for people who want it calm or instant: the log tells them. */
export function inTheSky(begin: (sky: HTMLElement) => Animation[]): void {
  if (!settings.tempo || document.hidden) return;
  const sky = document.createElement("div");
  sky.setAttribute("aria-hidden", "true");
  sky.dataset.sky = "";
  sky.style.cssText = "position:fixed;inset:0;pointer-events:none;z-index:8;overflow:hidden";
  document.body.append(sky);
  void Promise.allSettled(begin(sky).map((animation) => paced(animation).finished)).then(() => sky.remove());
}

/** An animation at the speed of the preferences. */
export function paced(animation: Animation): Animation {
  animation.playbackRate = settings.tempo || 1;
  return animation;
}

/** One of the symbols on the page; `look` is a class that colours it. */
export function drawn(sky: HTMLElement, symbol: string, size: number, look = ""): HTMLElement {
  const node = document.createElement("div");
  node.className = look;
  node.style.cssText = `position:absolute;left:${-size / 2}px;top:${-size / 2}px;width:${size}px;height:${size}px;opacity:0;will-change:transform,opacity`;
  node.innerHTML = `<svg width="${size}" height="${size}"><use href="#${symbol}" width="${size}" height="${size}"/></svg>`;
  sky.append(node);
  return node;
}

/** A thing flies in an arc; `aside` keeps several apart. */
export function fly(node: HTMLElement, from: Spot, to: Spot, delay = 0, aside = 0): Animation {
  const middle = { x: (from.x + to.x) / 2 + aside, y: Math.min(from.y, to.y) + Math.abs(from.y - to.y) * 0.3 - 20 };
  return node.animate(
    [
      { transform: at(from, "scale(0.4)"), opacity: 0 },
      { transform: at(middle, "scale(1.15)"), opacity: 1, offset: 0.45 },
      { transform: at(to, "scale(0.7)"), opacity: 0.9 },
    ],
    { duration: 750, delay, easing: EASE },
  );
}

/** A number rises where something arrives: "+3". */
export function says(sky: HTMLElement, text: string, where: Spot, delay = 0): Animation {
  const told = document.createElement("strong");
  told.textContent = text;
  told.style.cssText = "position:absolute;left:0;top:0;opacity:0;color:var(--news);font:700 1.5rem var(--display);text-shadow:0 0 4px var(--paper),0 0 2px var(--paper)";
  sky.append(told);
  const label = { x: where.x + 10, y: where.y - 14 };
  return told.animate(
    [
      { transform: at(label, "scale(0.6)"), opacity: 0 },
      { transform: at({ x: label.x, y: label.y - 12 }, "scale(1.2)"), opacity: 1, offset: 0.3 },
      { transform: at({ x: label.x, y: label.y - 26 }, "scale(1)"), opacity: 0 },
    ],
    { duration: 1300, delay, easing: "ease-out" },
  );
}

/** Several of the same fly one after the other, and the number of them is said where they arrive. */
export function flock(sky: HTMLElement, symbol: string, n: number, from: Spot, to: Spot, delay = 0, said = `+${n}`): Animation[] {
  const found = Array.from({ length: Math.min(n, 6) }, (_, i) => fly(drawn(sky, symbol, 26), from, to, delay + i * 90, (i - n / 2) * 14));
  return [...found, says(sky, said, to, delay + 700)];
}
