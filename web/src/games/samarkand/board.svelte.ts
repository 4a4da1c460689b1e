/** The current board, fetched once per language, and its names. */
import { lang, t } from "../../lib/messages.svelte";
import type { Board, Family, Good, Named, Space } from "./types";

/** Where a board comes from: the game, a table to which somebody brought it along, or the file in a record. */
export interface Origin {
  key: string;
  table?: string;
  contents?: string;
}

const known = new Map<string, Promise<Board>>();
let current: Board | null = $state.raw(null);
let shown = $state("");
let families = new Map<string, Family>();
let spaces = new Map<string, Space>();

const idOf = ({ key, table, contents }: Origin): string => (contents ? `file ${contents}` : table ? `table ${table}` : key);

async function fetched({ key, table, contents }: Origin): Promise<Board> {
  const asked = `lang=${lang()}`;
  const answer = contents
    ? await fetch(`/api/games/samarkand/boxes/drawn?${asked}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ contents }),
      })
    : await fetch(table ? `/api/tables/${table}/box?${asked}` : `/api/games/samarkand/boxes/${key}?${asked}`);
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()) as Board;
}

function take(board: Board, id = board.key): void {
  shown = id;
  families = new Map(board.families.map((family) => [family.key, family]));
  spaces = new Map(board.spaces.map((space) => [space.key, space]));
  current = board;
}

/** Fetch a board and make it the current one; retries if the connection fails. */
export async function spread(origin: Origin): Promise<void> {
  const id = `${idOf(origin)}?lang=${lang()}`;
  let asked = known.get(id);
  if (!asked) {
    asked = fetched(origin);
    known.set(id, asked);
  }
  try {
    take(await asked, idOf(origin));
  } catch {
    known.delete(id);
    await new Promise((go) => setTimeout(go, 1500));
    await spread(origin);
  }
}

/** Whether the current board is the one from there. */
export const isCurrent = (origin: Origin): boolean => shown === idOf(origin);

export function board(): Board | null {
  return current;
}

/** Set the current board. */
export { take };

const said = (name: Named | undefined, key: string): string => name?.[lang()] ?? key;

export function family(key: string): Family | undefined {
  return current ? families.get(key) : undefined;
}

export function space(key: string): Space | undefined {
  return current ? spaces.get(key) : undefined;
}

export function good(number: number): Good | undefined {
  return current?.goods[number - 1];
}

export const familyName = (key: string): string => said(family(key)?.name, key);
export const spaceName = (key: string): string => said(space(key)?.name, key);

/** The space where the route of a family begins. */
export const homeOf = (key: string): string | null => family(key)?.start ?? null;

/** "Papyrus (16)". */
export function goodName(number: number): string {
  const found = good(number);
  return found ? t("samarkand.good", { name: found.name[lang()], number }) : String(number);
}

/** The first letter of a family's name, which identifies it besides colour and symbol. */
export const letter = (key: string): string => familyName(key).charAt(0);

/** As much of a family's name as no other family's name begins with. */
export function mark(key: string): string {
  const name = familyName(key);
  const others = [...families.keys()].filter((other) => other !== key).map(familyName);
  const length = [...name].findIndex((_, i) => !others.some((other) => other.startsWith(name.slice(0, i + 1))));
  return name.slice(0, length + 1 || name.length);
}

/** Whether dark text is more readable than light text on a colour. */
export function bright(colour: string): boolean {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)) as [number, number, number];
  return 0.3 * r + 0.59 * g + 0.11 * b > 150;
}
