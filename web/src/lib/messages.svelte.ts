/** Messages in English and French, shared with the Python side. */
// The messages of the pages are bundled, to save a round trip before the first page.
import enPhrases from "../../../src/registan/messages/en/phrases.json";
import en from "../../../src/registan/messages/en/web.json";
import frPhrases from "../../../src/registan/messages/fr/phrases.json";
import fr from "../../../src/registan/messages/fr/web.json";
import { api } from "./api";
import { stored } from "./stored";

export type Lang = "en" | "fr";
export const LANGS: readonly Lang[] = ["en", "fr"];
type Catalogue = Record<string, string>;

// The messages of a game: those of its board here, and those that it shares with the Python side.
const files = import.meta.glob<Catalogue>(["../games/*/messages/*.json", "../../../src/registan/games/*/messages/*.json"], {
  import: "default",
});
// The messages of the plain board, and of pages that bring their own.
const common = import.meta.glob<Catalogue>("../../../src/registan/messages/*/{core,learn,me,puzzles,review,workshop}.json", {
  import: "default",
});
// Replaced as a whole: a signal for each of a thousand messages would slow down every page.
let texts: Record<Lang, Catalogue> = $state.raw({ en: { ...en, ...enPhrases }, fr: { ...fr, ...frPhrases } });
const loaded = new Set<string>();
const wanted = new Set<string>();

function guess(): Lang {
  const known = stored<Lang | null>("lang", null);
  if (known && LANGS.includes(known)) return known;
  return navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";
}

const state = $state({ lang: guess() });

export function lang(): Lang {
  return state.lang;
}

/** Fetch the messages of a page, or of a game; for a game without a folder here, from the house. */
async function fetchWords(language: Lang, subject: string): Promise<void> {
  const id = `${language}/${subject}`;
  if (loaded.has(id)) return;
  const shared = (name: string) => common[`../../../src/registan/messages/${language}/${name}.json`];
  const own = Object.keys(files).filter((path) => path.endsWith(`/games/${subject}/messages/${language}.json`));
  const page = shared(subject);
  const found = await Promise.all(
    page ? [page()] : own.length ? own.map((path) => files[path]!()) : [shared("core")!(), api.messages(subject, language)],
  );
  texts = { ...texts, [language]: Object.assign({}, texts[language], ...found) as Catalogue };
  loaded.add(id);
}

/** Fetch the messages of a game, or of a page with its own, in the current language. */
export async function load(subject: string): Promise<void> {
  wanted.add(subject);
  await fetchWords(state.lang, subject);
}

/** Switch to another language. */
export async function speak(language: Lang): Promise<void> {
  await Promise.all([...wanted].map((subject) => fetchWords(language, subject)));
  state.lang = language;
  document.documentElement.lang = language;
}

type Values = Record<string, unknown>;

const PLURAL = /\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}/g;
const VALUE = /\{(\w+)\}/g;

// As in `registan.core.messages`, and not with Intl: its first plural, number and list take a phone a quarter of a second.
const AND: Record<Lang, string> = { en: "and", fr: "et" };

/** English uses "one" for 1 only, French below 2. */
const isOne = (n: number, language: Lang): boolean => (language === "fr" ? Math.abs(n) < 2 : n === 1);

/** Fill the placeholders of a message: `{name}` and `{n, plural, one {…} other {…}}`. */
export function fill(text: string, language: Lang, values: Values): string {
  if (!text.includes("{")) return text;
  return text
    .replace(PLURAL, (_, name: string, one: string, other: string) => {
      const n = Number(values[name]);
      return (isOne(n, language) ? one : other).replaceAll("#", number(n));
    })
    .replace(VALUE, (_, name: string) => {
      const value = values[name];
      return typeof value === "number" ? number(value) : String(value ?? "");
    });
}

/** The message with that key in the current language. */
export function t(key: string, values: Values = {}): string {
  return find(key, values) ?? key;
}

/** The message with that key, undefined if it does not exist: games may leave some out. */
export function find(key: string, values: Values = {}): string | undefined {
  const text = texts[state.lang][key];
  return text === undefined ? undefined : fill(text, state.lang, values);
}

export function number(value: number): string {
  // Both languages write small numbers alike.
  if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
  return new Intl.NumberFormat(state.lang).format(value);
}

/** "a, b and c". */
export function listing(parts: string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${AND[state.lang]} ${parts.at(-1)}`;
}

/** "3 hours ago". */
export function ago(at: number, now: number): string {
  const format = new Intl.RelativeTimeFormat(state.lang, { numeric: "auto" });
  const seconds = Math.round((at - now) / 1000);
  if (Math.abs(seconds) < 60) return format.format(0, "minute");
  if (Math.abs(seconds) < 3600) return format.format(Math.round(seconds / 60), "minute");
  if (Math.abs(seconds) < 86_400) return format.format(Math.round(seconds / 3600), "hour");
  return format.format(Math.round(seconds / 86_400), "day");
}
