// The games that this auditor knows.

import type { Game } from "../asks.js";
import { conquest } from "./conquest.js";
import { cups } from "./cups.js";
import { spiesAndLies } from "./lies.js";
import { spies } from "./spies/spies.js";
import { stratego } from "./stratego.js";

export const GAMES = new Map<string, Game>([spiesAndLies, stratego, conquest, spies, cups].map((game) => [game.name, game]));
