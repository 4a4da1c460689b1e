/** The REST routes. */
import type { components } from "../../generated/house";
import type { LessonData } from "./lesson.svelte";
import type { TableCard, TableView } from "./types";

export class Refusal extends Error {
  constructor(
    readonly error: string,
    readonly text: string,
    readonly status: number,
    readonly rule: string | null = null,
  ) {
    super(text);
  }
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refusal("web.offline", "", 0);
  }
  const told: unknown = await answer.json().catch(() => null);
  if (answer.ok) return told as T;
  const { error = "web.broken", text = "", rule = null } = (told ?? {}) as Partial<Refusal>;
  throw new Refusal(error, text, answer.status, rule);
}

/** Types from the OpenAPI description of the house; `make setup` generates them. */
type Schemas = components["schemas"];
export type Me = Schemas["Me"];
export type Chair = Schemas["NewSeat"];
export type NewTable = Schemas["NewTable"];
export type Preferences = Schemas["Preferences"];
export type GameCard = Schemas["GameInfo"];
export type Device = Schemas["Device"];
export type ChatLine = Schemas["ChatLine"];
export type Study = Schemas["Study"];
export type Studied = Schemas["Studied"];
export type HintedMove = Schemas["HintedMove"];
export type PuzzleBook = Schemas["PuzzleBook"];
export type PastTry = Schemas["PastTry"];
export type ShownPuzzle = Schemas["ShownPuzzle"];
export type Solution = Schemas["Solution"];
export type Reviewed = Schemas["Reviewed"];
export type Profile = Schemas["Profile"];
export type FinishedGame = Schemas["FinishedGame"];
export type Rating = Schemas["Rating"];
export type Guidance = Schemas["Guidance"];
export type CheckedBox = Schemas["CheckedBox"];
export type BoxFault = Schemas["BoxFault"];
type CreatedTable = Schemas["CreatedTable"];

export const api = {
  preferences: () => call<Preferences>("GET", "/api/me/notifications"),
  setPreferences: (preferences: Preferences) =>
    call<Preferences>("PUT", "/api/me/notifications", preferences),
  pushKey: () => call<Schemas["PushKey"]>("GET", "/api/push/key"),
  notified: (table: string) => call<Schemas["Switch"]>("GET", `/api/tables/${table}/notifications`),
  notify: (table: string, on: boolean) => call<Schemas["Switch"]>("PUT", `/api/tables/${table}/notifications`, { on }),
  me: () => call<Me | null>("GET", "/api/me"),
  setMe: (name: string, lang: string, face?: string) => call<Me>("POST", "/api/me", { name, lang, face }),
  games: () => call<GameCard[]>("GET", "/api/games"),
  messages: (game: string, lang: string) => call<Record<string, string>>("GET", `/api/games/${game}/messages/${lang}`),
  listed: () => call<TableCard[]>("GET", "/api/tables"),
  mine: () => call<TableCard[]>("GET", "/api/me/tables"),
  create: (table: NewTable) => call<CreatedTable>("POST", "/api/tables", table),
  checkBox: (game: string, contents: string) => call<CheckedBox>("POST", `/api/games/${game}/boxes/check`, { contents }),
  parseBox: (game: string, contents: string) => call<Record<string, unknown>>("POST", `/api/games/${game}/boxes/parsed`, { contents }),
  measureBox: (game: string, contents: string, players: number) =>
    call<Record<string, unknown>>("POST", `/api/games/${game}/boxes/balance`, { contents, players }),
  ask: (table: string, request: Record<string, unknown>) =>
    call<Schemas["Granted"]>("POST", `/api/tables/${table}`, request),
  remove: (table: string) => call<null>("DELETE", `/api/tables/${table}`),
  hint: (table: string, seat: number) => call<HintedMove[]>("POST", `/api/tables/${table}/hint`, { seat }),
  guide: (table: string, seat: number) => call<Guidance>("POST", `/api/tables/${table}/guide`, { seat }),
  rematch: (table: string) => call<CreatedTable>("POST", `/api/tables/${table}/rematch`),
  chat: (table: string, before: number) => call<ChatLine[]>("GET", `/api/tables/${table}/chat?before=${before}`),
  seats: (table: string) => call<Schemas["MySeats"]>("GET", `/api/tables/${table}/seats`),
  look: (table: string, seat: number | null) =>
    call<TableView>("GET", `/api/tables/${table}${seat === null ? "" : `?seat=${seat}`}`),
  points: (table: string) => call<number[][]>("GET", `/api/tables/${table}/points`),
  study: (request: Study) => call<Studied>("POST", "/api/study", request),
  review: (request: Schemas["AskReview"]) => call<Reviewed>("POST", "/api/review", request),
  reviewed: (id: string) => call<Reviewed>("GET", `/api/reviews/${id}`),
  profile: () => call<Profile>("GET", "/api/me/profile"),
  myGames: (after: number) => call<Schemas["GamesPage"]>("GET", `/api/me/games?after=${after}`),
  deleteMe: () => call<null>("DELETE", "/api/me"),
  studyGuide: (request: Study) => call<Guidance>("POST", "/api/study/guide", request),
  lesson: (game: string, lesson: string) => call<LessonData>("GET", `/api/games/${game}/lessons/${lesson}`),
  lookBack: (table: string, seat: number | null, at: number, to: number) =>
    call<Studied>("GET", `/api/tables/${table}/moments?at=${at}&to=${to}${seat === null ? "" : `&seat=${seat}`}`),
  puzzles: () => call<PuzzleBook[]>("GET", "/api/puzzles"),
  puzzle: (game: string, id: string) => call<ShownPuzzle>("GET", `/api/puzzles/${game}/${id}`),
  solve: (game: string, id: string, answer: Schemas["PuzzleAnswer"]) => call<Solution>("POST", `/api/puzzles/${game}/${id}`, answer),
  myPuzzles: () => call<PastTry[]>("GET", "/api/me/puzzles"),
  verify: (table: string, lang: string) =>
    call<Schemas["Verified"]>("GET", `/api/tables/${table}/verify?lang=${lang}`),
  giveHandover: () => call<Schemas["Handover"]>("POST", "/api/me/handover"),
  lookAtHandover: (token: string) => call<Schemas["HandoverOffer"]>("POST", "/api/handover/offer", { token }),
  takeHandover: (token: string, replace: boolean) => call<Me>("POST", "/api/handover", { token, replace }),
  devices: () => call<Device[]>("GET", "/api/me/devices"),
  signOut: (device: string) => call<Device[]>("DELETE", `/api/me/devices/${device}`),
  rules: async (game: string, lang: string): Promise<string> => {
    const answer = await fetch(`/api/games/${game}/rules?lang=${lang}`);
    if (!answer.ok) throw new Refusal("web.nothing", "", answer.status);
    return answer.text();
  },
};
