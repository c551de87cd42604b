// A player of two seats by hashes: node build/main.js [--name NAME] [--seed N] [--cheat RULE] INVITE FOLDER
// It plays one match, keeps it in FOLDER, and prints one object of JSON.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hex } from "../../auditor/build/bytes.js";
import { spiesAndLies } from "../../auditor/build/games/lies.js";
import { stratego } from "../../auditor/build/games/stratego.js";
import { Blamed } from "../../auditor/build/match.js";
import { CHEATS } from "./cheats.js";
import { Trouble } from "./channel.js";
import { BadInvite, readInvite } from "./invite.js";
import { Key } from "./keys.js";
import { sitDown, type Seat } from "./lobby.js";
import { diceOf, LiesPerson, StrategoPerson, watched } from "./people.js";
import { Onlooker, Player } from "./player.js";
import { newSeed } from "./secrets.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { name: { type: "string", default: "Ben" }, seed: { type: "string", default: "1" }, cheat: { type: "string" } },
});

function tell(answer: object): void {
  process.stdout.write(JSON.stringify(answer) + "\n");
}

function personAt({ copy, seat }: Seat): StrategoPerson | LiesPerson {
  const dice = diceOf(Number(values.seed));
  return copy.match.genesis.game === games.get("stratego") ? new StrategoPerson(dice) : new LiesPerson(dice, seat);
}

const onlooker = new Onlooker();
const games = watched([stratego, spiesAndLies], onlooker);
const [word, folder] = positionals;
const cheat = values.cheat === undefined ? null : CHEATS.get(values.cheat);
if (folder === undefined || positionals.length !== 2 || cheat === undefined) {
  process.stderr.write(`usage: main.js [--name NAME] [--seed N] [--cheat RULE] INVITE FOLDER\nrules: ${[...CHEATS.keys()].join(", ")}\n`);
  process.exit(64);
}
try {
  const invite = readInvite(word);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const key = new Key(newSeed(join(folder, "identity.key")));
  const seat = await sitDown(invite, { key, name: values.name, folder, games });
  const outcome = await new Player(seat, onlooker, personAt(seat), cheat).play();
  const { match } = seat.copy;
  tell({ match: hex(match.genesis.id), seat: seat.seat, ...outcome, entries: match.count });
} catch (error) {
  if (error instanceof Blamed) tell({ fault: error.blame });
  else if (error instanceof Trouble || error instanceof BadInvite) tell({ problem: error.message });
  else throw error;
  process.exitCode = 1;
}
