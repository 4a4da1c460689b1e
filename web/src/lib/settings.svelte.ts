/** What somebody likes: theme, sound, motion. Kept in the browser. */
import { store, stored } from "./stored";

export type Theme = "system" | "light" | "dark";

const state = $state({
  theme: stored<Theme>("theme", "system"),
  sound: stored("sound", false),
  calm: stored("calm", false),
});

const night = matchMedia("(prefers-color-scheme: dark)");

/** The page always says which theme it has, so that styles need to ask one thing only. */
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
  /** Less motion, because the person asked here or in the system. */
  get calm(): boolean {
    return state.calm || matchMedia("(prefers-reduced-motion: reduce)").matches;
  },
  set calm(on: boolean) {
    state.calm = on;
    store("calm", on);
  },
};
