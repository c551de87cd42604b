// The games that this auditor knows.

import type { Game } from "../asks.js";
import { conquest } from "./conquest.js";
import { spiesAndLies } from "./lies.js";
import { stratego } from "./stratego.js";

export const GAMES = new Map<string, Game>([spiesAndLies, stratego, conquest].map((game) => [game.name, game]));
