/** The current guest: a name, a face and a language, identified by a cookie. */
import { api, Refusal } from "./api";
import { lang, speak, t, type Lang } from "./messages.svelte";
import { store } from "./stored";

const state = $state({ name: "", face: "", known: false });
let asked: Promise<void> | undefined;

async function look(): Promise<void> {
  try {
    const me = await api.me();
    if (!me) return;
    [state.name, state.face, state.known] = [me.name, me.face, true];
    if (me.lang !== lang()) await speak(me.lang as Lang);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

export const me = {
  get name(): string {
    return state.name;
  },
  /** The drawing that others see; empty before the first request. */
  get face(): string {
    return state.face;
  },
  get known(): boolean {
    return state.known;
  },
  /** Fetch the guest once. */
  ready: (): Promise<void> => (asked ??= look()),
  async rename(name: string, face?: string): Promise<void> {
    const now = await api.setMe(name, lang(), face);
    [state.name, state.face, state.known] = [now.name, now.face, true];
  },
  /** Become a guest, with a name chosen by the house, if I am not one yet. */
  async ensureGuest(): Promise<void> {
    await me.ready();
    if (!state.known) await me.rename(t("web.guest"));
  },
  async speak(language: Lang): Promise<void> {
    await speak(language);
    store("lang", language);
    if (state.known) await api.setMe(state.name, language);
  },
};
