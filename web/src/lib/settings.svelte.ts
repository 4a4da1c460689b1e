/** Settings: theme, sound, motion. Stored in the browser. */
import { store, stored } from "./stored";

export type Theme = "system" | "light" | "dark";

const state = $state({
  theme: stored<Theme>("theme", "system"),
  sound: stored("sound", false),
  calm: stored("calm", false),
});

const night = matchMedia("(prefers-color-scheme: dark)");

/** Sets the theme on the page, so that styles check only one attribute. */
function paint(): void {
  document.documentElement.dataset.theme = state.theme !== "system" ? state.theme : night.matches ? "dark" : "light";
}
paint();
night.addEventListener("change", paint);

export const settings = {
  get theme(): Theme {
    return state.theme;
  },
  set theme(theme: Theme) {
    state.theme = theme;
    if (theme === "system") localStorage.removeItem("registan.theme");
    else store("theme", theme);
    paint();
  },
  get sound(): boolean {
    return state.sound;
  },
  set sound(on: boolean) {
    state.sound = on;
    store("sound", on);
  },
  /** Reduced motion, from our settings or the system's. */
  get calm(): boolean {
    return state.calm || matchMedia("(prefers-reduced-motion: reduce)").matches;
  },
  set calm(on: boolean) {
    state.calm = on;
    store("calm", on);
  },
};
