/** The visible part of the map, as pure functions that never lose the map. Lengths are pixels of the screen. */
export interface Camera {
  x: number;
  y: number;
  /** Pixels for one unit of the board. */
  k: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A narrower window is a phone in portrait mode. */
const NARROW = 600;
/** The maximum zoom, relative to the fitted map. */
const NEAREST = 7;
/** The width of a board with a unit of 1, frame included. */
const WIDTH = 1028;

export function fit(map: Size, window: Size): Camera {
  const k = Math.min(window.width / map.width, window.height / map.height);
  return { k, x: (window.width - map.width * k) / 2, y: (window.height - map.height * k) / 2 };
}

/** The zoom at which a phone begins: the numbers of all spaces can be read, and most names. */
const READABLE = 0.9;

/** The initial camera: fitted, but so large that it can be read on a phone in portrait mode. */
export function opening(map: Size, window: Size): Camera {
  const whole = fit(map, window);
  const filled = window.height / map.height;
  if (window.width > NARROW) return whole;
  const k = Math.max(Math.min(filled, 1), (READABLE * WIDTH) / map.width);
  return held({ k, x: (window.width - map.width * k) / 2, y: (window.height - map.height * k) / 2 }, map, window);
}

/** The nearest valid camera: the map covers the window, or is centred if it is smaller. */
export function held(camera: Camera, map: Size, window: Size): Camera {
  const least = fit(map, window).k;
  const k = Math.min(Math.max(camera.k, least), least * NEAREST);
  const along = (at: number, length: number, room: number): number =>
    length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, at));
  return { k, x: along(camera.x, map.width * k, window.width), y: along(camera.y, map.height * k, window.height) };
}

/** Zoom by a factor; the point under the finger stays where it is. */
export function zoomed(camera: Camera, factor: number, at: { x: number; y: number }, map: Size, window: Size): Camera {
  const least = fit(map, window).k;
  const k = Math.min(Math.max(camera.k * factor, least), least * NEAREST);
  const grown = k / camera.k;
  return held({ k, x: at.x - (at.x - camera.x) * grown, y: at.y - (at.y - camera.y) * grown }, map, window);
}

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** A camera that shows a box of the map: the current one if it does. `steady`: at the same size, as much as fits. */
export function showing(camera: Camera, box: Box, map: Size, window: Size, steady = false): Camera {
  const left = camera.x + box.x0 * camera.k;
  const top = camera.y + box.y0 * camera.k;
  const right = camera.x + box.x1 * camera.k;
  const bottom = camera.y + box.y1 * camera.k;
  if (left >= 0 && top >= 0 && right <= window.width && bottom <= window.height) return camera;
  const fits = Math.min(window.width / (box.x1 - box.x0), window.height / (box.y1 - box.y0));
  const k = steady ? camera.k : Math.min(fits, camera.k);
  const x = window.width / 2 - ((box.x0 + box.x1) / 2) * k;
  const y = window.height / 2 - ((box.y0 + box.y1) / 2) * k;
  return held({ k, x, y }, map, window);
}

/** The nearest point in a direction, for arrow keys; null if there is none. */
export function nearest<T extends { centre: [number, number] }>(from: T, all: readonly T[], dx: number, dy: number): T | null {
  let best: T | null = null;
  let least = Infinity;
  for (const one of all) {
    const along = (one.centre[0] - from.centre[0]) * dx + (one.centre[1] - from.centre[1]) * dy;
    const beside = Math.abs((one.centre[0] - from.centre[0]) * dy) + Math.abs((one.centre[1] - from.centre[1]) * dx);
    if (one === from || along <= 0) continue;
    const far = along + 2 * beside;
    if (far < least) [best, least] = [one, far];
  }
  return best;
}

/** The size of letters on the map, in its units: what they have, or more if the screen needs it; null if too small. */
export function lettering(size: number, most: number, k: number, pixels: number): number | null {
  const needed = pixels / k;
  return needed > most ? null : Math.max(size, Math.ceil(needed * 10) / 10);
}
