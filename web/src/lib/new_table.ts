/** Creating tables. */
import { api, type Chair, type GameCard, type NewTable } from "./api";
import { takePart } from "./deal";
import { me } from "./me.svelte";
import { go } from "./router.svelte";

/** The ladder of levels, the weakest first. */
export const LEVELS = ["child", "novice", "pedlar", "merchant", "caravaneer", "vizier", "master"] as const;

/** Create a table and go there. */
export async function createTable(table: NewTable, start: boolean): Promise<void> {
  await me.ensureGuest();
  const created = await api.create(table);
  if (start) await begin(created.table);
  go(`/t/${created.table}`);
}

/** Contribute to the deal for my seats, and start. Whoever else has to contribute is waited for in the lobby. */
export async function begin(table: string): Promise<void> {
  const { seats } = await api.seats(table);
  const ask = (request: Record<string, unknown>) => api.ask(table, request);
  const look = () => api.look(table, seats[0] ?? null);
  await takePart(await look(), seats, ask);
  if ((await look()).awaited.length) return;
  await ask({ do: "start" });
  await takePart(await look(), seats, ask);
}

type Pace = NonNullable<NewTable["pace"]>;
const FREE: Pace = { kind: "free" };
const BRISK = { kind: "live", bank: 300, increment: 10 } as const;
const CALM = { kind: "live", bank: 900, increment: 30 } as const;

/**
 * The paces of a game by the key of their message, the one of "Play now" first. Decisions against a clock are the heart
 * of the games that have them; their other paces ask for sealed answers.
 */
export function pacesOf(ticks: number[]): Record<string, Pace> {
  const [easy, fast] = ticks;
  const days: Record<string, Pace> = { day: { kind: "days", days: 1 }, days: { kind: "days", days: 3 } };
  if (!easy) return { free: FREE, quick: BRISK, calm: CALM, ...days };
  return { ticking: { ...CALM, tick: easy }, ...(fast ? { fast: { ...BRISK, tick: fast } } : {}), ...days, free: FREE };
}

/** Create and start a table for one person against bots of the middle level, at the first of the game's paces. */
export function playNow({ game, usual, ticks }: GameCard): Promise<void> {
  const others: Chair[] = Array.from({ length: usual - 1 }, () => ({ kind: "bot", level: "merchant" }));
  const [pace] = Object.values(pacesOf(ticks));
  return createTable({ game, seats: [{ kind: "me" }, ...others], pace, watch: "none" }, true);
}
