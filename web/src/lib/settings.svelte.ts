/** Preferences of this browser: how things look, sound and move. */
import { store, stored } from "./stored";

export type Theme = "system" | "light" | "dark";
/** How long a move of another player is shown before the next one, in milliseconds. */
export const SPEEDS = { slow: 1600, normal: 900, fast: 400, instant: 0 } as const;
export type Speed = keyof typeof SPEEDS;
/** The size of all text, in percent. */
export const SIZES = [100, 115, 130] as const;
export type Size = (typeof SIZES)[number];
/** What can be heard: it is my turn, something happens on the board, somebody says something. */
export const SOUNDS = ["turn", "moves", "chat"] as const;
export type Sound = (typeof SOUNDS)[number];

const state = $state({
  theme: stored<Theme>("theme", "system"),
  sounds: stored<Sound[]>("sounds", stored("sound", false) ? [...SOUNDS] : []),
  calm: stored("calm", false),
  speed: stored<Speed>("speed", "normal"),
  size: stored<Size>("size", 100),
  log: stored<"open" | "folded" | null>("log", null),
  alert: stored("alert", false),
  confirm: stored("confirm", true),
  marks: stored("marks", false),
  guide: stored("guide", false),
});

const night = matchMedia("(prefers-color-scheme: dark)");

/** Sets theme, size and marks on the page, so that styles check only one attribute. */
function paint(): void {
  document.documentElement.dataset.theme = state.theme !== "system" ? state.theme : night.matches ? "dark" : "light";
  document.documentElement.toggleAttribute("data-marks", state.marks);
  document.documentElement.style.fontSize = state.size === 100 ? "" : `${state.size}%`;
}
paint();
night.addEventListener("change", paint);

function keep<Name extends keyof typeof state>(name: Name, value: (typeof state)[Name]): void {
  state[name] = value;
  store(name, value);
  paint();
}

export const settings = {
  get theme(): Theme {
    return state.theme;
  },
  set theme(theme: Theme) {
    keep("theme", theme);
  },
  hears(sound: Sound): boolean {
    return state.sounds.includes(sound);
  },
  hear(sound: Sound, on: boolean): void {
    keep("sounds", SOUNDS.filter((one) => (one === sound ? on : state.sounds.includes(one))));
  },
  /** All sounds at once. */
  get sound(): boolean {
    return state.sounds.length > 0;
  },
  set sound(on: boolean) {
    keep("sounds", on ? [...SOUNDS] : []);
  },
  /** Reduced motion, from our settings or the system's. */
  get calm(): boolean {
    return state.calm || matchMedia("(prefers-reduced-motion: reduce)").matches;
  },
  set calm(on: boolean) {
    keep("calm", on);
  },
  get speed(): Speed {
    return state.speed in SPEEDS ? state.speed : "normal";
  },
  set speed(speed: Speed) {
    keep("speed", speed);
  },
  /** How fast things move compared with the usual speed; 0 if they do not move at all. */
  get tempo(): number {
    const pause = SPEEDS[this.speed];
    return this.calm || !pause ? 0 : SPEEDS.normal / pause;
  },
  get size(): Size {
    return state.size;
  },
  set size(size: Size) {
    keep("size", size);
  },
  /** Whether the log is open when a table opens; null leaves it to the width of the screen. */
  get log(): "open" | "folded" | null {
    return state.log;
  },
  set log(log: "open" | "folded" | null) {
    keep("log", log);
  },
  /** Whether a move takes a second touch. */
  get confirm(): boolean {
    return state.confirm;
  },
  set confirm(on: boolean) {
    keep("confirm", on);
  },
  /** Whether letters and patterns tell apart what colours do. */
  get marks(): boolean {
    return state.marks;
  },
  set marks(on: boolean) {
    keep("marks", on);
  },
  /** Whether the guide speaks where it is allowed. */
  get guide(): boolean {
    return state.guide;
  },
  set guide(on: boolean) {
    keep("guide", on);
  },
  /** Whether the desktop tells me of my turn while the page is hidden. */
  get alert(): boolean {
    return state.alert;
  },
  set alert(on: boolean) {
    keep("alert", on);
  },
};
