/** All messages exist in both languages, and those of a game are in its folder. */
import { expect, test } from "vitest";

type Catalogue = Record<string, string>;
const files = import.meta.glob<Catalogue>(
  ["../../src/registan/messages/*/{core,learn,me,phrases,puzzles,review,web,workshop}.json", "../../src/registan/games/*/messages/*.json", "../src/games/*/messages/*.json"],
  { eager: true, import: "default" },
);
const sources = import.meta.glob<string>(["../src/**/*.{ts,svelte}"], { eager: true, query: "?raw", import: "default" });

const catalogue = (lang: string): Catalogue =>
  Object.assign({}, ...Object.entries(files).flatMap(([path, words]) => (path.includes(`/${lang}`) ? [words] : []))) as Catalogue;
const [en, fr] = [catalogue("en"), catalogue("fr")];
/** The placeholders of a message: its plurals, and those left in each of their forms. */
function places(text: string): string {
  const plurals: string[] = [];
  const rest = text.replaceAll(/\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}/g, (_, name: string, one: string, other: string) => {
    plurals.push(name);
    return one + other;
  });
  return [...new Set([...plurals, ...[...rest.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)])].sort().join();
}

test("both languages have the same messages, which ask for the same", () => {
  expect(Object.keys(fr).sort()).toEqual(Object.keys(en).sort());
  expect(Object.keys(en).filter((key) => places(en[key]!) !== places(fr[key]!))).toEqual([]);
});

/** The key of a message, or its beginning if the rest is computed. */
const KEY = /\bt\(\s*(?:"([\w.-]+)"|`([\w.-]+)\$\{)/g;

test("every message that is used exists", () => {
  const used = Object.values(sources).flatMap((code) => [...code.matchAll(KEY)].map(([, whole, start]) => ({ whole, start })));
  expect(used.length).toBeGreaterThan(300);
  const known = Object.keys(en);
  expect(used.filter(({ whole, start }) => !known.some((key) => (whole ? key === whole : key.startsWith(start!))))).toEqual([]);
});

test("nobody names a game outside its own folder", () => {
  const folders = [...new Set(Object.keys(sources).map((path) => /src\/games\/(\w+)\//.exec(path)?.[1]).filter(Boolean))] as string[];
  expect(folders.length).toBeGreaterThan(2);
  const named = Object.entries(sources).filter(([path, code]) =>
    folders.some((game) => !path.includes(`/games/${game}/`) && !folders.some((other) => path.includes(`/games/${other}/`)) && new RegExp(game, "i").test(code)),
  );
  expect(named.map(([path]) => path)).toEqual([]);
});
