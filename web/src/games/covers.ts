import type { Component } from "svelte";
import type { GameKey } from "../lib/types";
import Khiva from "./khiva/Cover.svelte";
import Samarkand from "./samarkand/Cover.svelte";
import Souk from "./souk/Cover.svelte";

export const COVERS: Record<GameKey, Component> = { samarkand: Samarkand, khiva: Khiva, souk: Souk };
