/** The faces of people and bots, composed from a few parts; `Face.svelte` draws them. */
import type { TableView } from "./types";

export type Hat = "turban" | "cap" | "veil" | "fur" | "cone" | "crown" | "hood" | "felt" | "feather" | "band" | "tall" | "none";
export type Hair = "short" | "long" | "braids" | "none";
export type Beard = "full" | "long" | "moustache" | "none";
export interface Look {
  hat: Hat;
  /** The colour of the hat. */
  dye: string;
  hair: Hair;
  beard: Beard;
  /** The colour of hair and beard. */
  tint: string;
  skin: string;
  /** The colour of the coat. */
  coat: string;
  /** The colour behind. */
  ground: string;
}

const [LAPIS, TURQUOISE, SAFFRON, POMEGRANATE, CREAM, BRASS, PINE, PLUM] = ["#1d4a87", "#12838c", "#d98c1a", "#9c2136", "#f5ead2", "#c08a22", "#2e6b4a", "#6d3577"]; // prettier-ignore
const [SKIN, TAN, BROWN, ROSE] = ["#e8b98f", "#cf9867", "#a8703f", "#f1cdb0"];
const [BLACK, EARTH, GREY] = ["#2a211b", "#5d3a1e", "#d9d3c5"];
const [SAND, SKY, DUSK, MINT] = ["#ead7ac", "#bfdde6", "#e5c2b5", "#c6dfc6"];

function look(hat: Hat, dye: string, hair: Hair, beard: Beard, tint: string, skin: string, coat: string, ground: string): Look {
  return { hat, dye, hair, beard, tint, skin, coat, ground };
}

/** The faces that people choose from, as `FACES` of the house. */
export const FACES: Record<string, Look> = {
  turban: look("turban", CREAM!, "none", "full", BLACK!, TAN!, LAPIS!, SKY!),
  cap: look("cap", PINE!, "short", "moustache", BLACK!, SKIN!, SAFFRON!, SAND!),
  veil: look("veil", TURQUOISE!, "none", "none", BLACK!, SKIN!, LAPIS!, SAND!),
  fur: look("fur", EARTH!, "none", "full", EARTH!, ROSE!, POMEGRANATE!, MINT!),
  cone: look("cone", SAFFRON!, "short", "none", BLACK!, SKIN!, PINE!, SKY!),
  crown: look("crown", BRASS!, "long", "none", BLACK!, TAN!, PLUM!, DUSK!),
  hood: look("hood", POMEGRANATE!, "none", "none", EARTH!, ROSE!, POMEGRANATE!, SAND!),
  felt: look("felt", CREAM!, "short", "moustache", GREY!, TAN!, TURQUOISE!, DUSK!),
  braids: look("cap", POMEGRANATE!, "braids", "none", BLACK!, SKIN!, TURQUOISE!, MINT!),
  scarf: look("veil", SAFFRON!, "none", "none", EARTH!, BROWN!, PINE!, SKY!),
  scholar: look("turban", LAPIS!, "none", "long", GREY!, SKIN!, CREAM!, SAND!),
  feather: look("feather", PINE!, "long", "none", EARTH!, ROSE!, BRASS!, DUSK!),
  band: look("band", POMEGRANATE!, "short", "full", BLACK!, BROWN!, CREAM!, SKY!),
  pearls: look("none", CREAM!, "long", "none", EARTH!, TAN!, POMEGRANATE!, MINT!),
};

/** The bots of each level: figures of the Silk Road, whose names are the messages `web.bot.<key>`. */
const BOTS: Record<string, Record<string, Look>> = {
  child: {
    layla: look("none", CREAM!, "braids", "none", BLACK!, TAN!, SAFFRON!, SKY!),
    majnun: look("none", CREAM!, "short", "none", BLACK!, BROWN!, TURQUOISE!, SAND!),
    shirin: look("band", SAFFRON!, "long", "none", EARTH!, ROSE!, POMEGRANATE!, MINT!),
    yusuf: look("cap", SAFFRON!, "short", "none", EARTH!, SKIN!, PINE!, DUSK!),
    zumurrud: look("cap", TURQUOISE!, "braids", "none", BLACK!, SKIN!, PLUM!, SAND!),
  },
  novice: {
    roxana: look("crown", CREAM!, "braids", "none", EARTH!, SKIN!, TURQUOISE!, DUSK!),
    marco: look("feather", POMEGRANATE!, "short", "none", EARTH!, ROSE!, LAPIS!, SAND!),
    egeria: look("veil", CREAM!, "none", "none", BLACK!, ROSE!, PLUM!, SKY!),
    benjamin: look("cap", LAPIS!, "short", "full", EARTH!, SKIN!, CREAM!, MINT!),
    rustichello: look("hood", PINE!, "none", "none", BLACK!, SKIN!, EARTH!, SAND!),
  },
  pedlar: {
    sindbad: look("band", CREAM!, "short", "full", BLACK!, TAN!, PINE!, SKY!),
    nasreddin: look("turban", CREAM!, "none", "full", GREY!, SKIN!, POMEGRANATE!, SAND!),
    hasan: look("felt", PINE!, "short", "none", BLACK!, BROWN!, SAFFRON!, MINT!),
    ali: look("cap", EARTH!, "short", "full", BLACK!, SKIN!, TURQUOISE!, DUSK!),
    morgiana: look("veil", PLUM!, "none", "none", BLACK!, BROWN!, CREAM!, SKY!),
  },
  merchant: {
    niccolo: look("turban", SAFFRON!, "none", "full", EARTH!, ROSE!, PINE!, SKY!),
    miwnay: look("veil", POMEGRANATE!, "none", "none", BLACK!, TAN!, SAFFRON!, MINT!),
    nanaivandak: look("felt", POMEGRANATE!, "short", "moustache", BLACK!, TAN!, LAPIS!, SAND!),
    cosmas: look("band", LAPIS!, "short", "long", BLACK!, BROWN!, SAFFRON!, DUSK!),
    maes: look("fur", GREY!, "none", "moustache", BLACK!, SKIN!, PLUM!, SKY!),
  },
  caravaneer: {
    battuta: look("turban", CREAM!, "none", "full", EARTH!, BROWN!, TURQUOISE!, DUSK!),
    xuanzang: look("none", CREAM!, "none", "none", BLACK!, SKIN!, SAFFRON!, MINT!),
    rubruck: look("hood", EARTH!, "short", "full", EARTH!, ROSE!, EARTH!, SAND!),
    maffeo: look("feather", LAPIS!, "short", "moustache", GREY!, ROSE!, POMEGRANATE!, SKY!),
    barsauma: look("tall", CREAM!, "none", "long", GREY!, TAN!, LAPIS!, SAND!),
  },
  vizier: {
    nizam: look("turban", LAPIS!, "none", "full", BLACK!, TAN!, PINE!, MINT!),
    jafar: look("turban", PLUM!, "none", "full", EARTH!, SKIN!, SAFFRON!, DUSK!),
    rashid: look("turban", BRASS!, "none", "long", GREY!, BROWN!, PLUM!, SKY!),
    navoi: look("cone", TURQUOISE!, "none", "full", EARTH!, SKIN!, LAPIS!, SAND!),
    terken: look("crown", BRASS!, "braids", "none", BLACK!, SKIN!, POMEGRANATE!, SKY!),
  },
  master: {
    ulughbeg: look("turban", PINE!, "none", "long", BLACK!, TAN!, POMEGRANATE!, SAND!),
    avicenna: look("turban", POMEGRANATE!, "none", "full", GREY!, SKIN!, LAPIS!, MINT!),
    khwarizmi: look("turban", TURQUOISE!, "none", "long", GREY!, BROWN!, SAFFRON!, DUSK!),
    zhangqian: look("tall", BLACK!, "none", "moustache", BLACK!, SKIN!, POMEGRANATE!, SKY!),
    sorghaghtani: look("tall", POMEGRANATE!, "braids", "none", BLACK!, TAN!, BRASS!, SAND!),
  },
};

/** Which figure a bot is: never the same as another one at its table, since a table has no more seats than a level has figures. */
export function figure(table: string, seat: number, level: string): string {
  const names = Object.keys(BOTS[level] ?? BOTS.novice!);
  return names[(sum(table) + seat) % names.length]!;
}

const sum = (text: string): number => [...text].reduce((total, letter) => total + letter.charCodeAt(0), 0);

/** The face of a seat, null while nobody sits there. */
export function faceOf(table: Pick<TableView, "seats" | "table">, seat: number): Look | null {
  const here = table.seats[seat];
  if (!here || here.kind === "open") return null;
  // In replays and puzzles bots are people whose face is their figure: nobody thinks there.
  if (here.kind === "person") return FACES[here.face] ?? (BOTS[here.level] ?? BOTS.novice!)[here.face] ?? Object.values(FACES)[sum(here.name) % Object.keys(FACES).length]!;
  return (BOTS[here.level] ?? BOTS.novice!)[figure(table.table, seat, here.level)]!;
}
