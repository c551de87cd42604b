// A player of two seats by hashes: it plays one match, keeps it in a folder, and prints one object of JSON.

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hex } from "../../auditor/build/bytes.js";
import { spiesAndLies } from "../../auditor/build/games/lies.js";
import { stratego } from "../../auditor/build/games/stratego.js";
import { Blamed } from "../../auditor/build/match.js";
import { CHEATS, type Cheat } from "./cheats.js";
import { Trouble } from "./channel.js";
import { BadInvite, readInvite } from "./invite.js";
import { Spoilt } from "./journal.js";
import { Key } from "./keys.js";
import { comeBack, sitDown } from "./lobby.js";
import { diceOf, LiesPerson, Onlooker, StrategoPerson } from "./people.js";
import { Player } from "./player.js";
import { newSeed } from "./secrets.js";

const USAGE = `usage: main.js [--name NAME] [--seed N] [--cheat RULE] [--stop N | --resume] INVITE FOLDER
rules: ${[...CHEATS.keys()].join(", ")}
`;

const { values, positionals: [word, folder, ...more] } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: "string", default: "Ben" },
    seed: { type: "string", default: "1" },
    cheat: { type: "string" },
    stop: { type: "string" },
    resume: { type: "boolean", default: false },
  },
});

function tell(answer: object): void {
  process.stdout.write(JSON.stringify(answer) + "\n");
}

/** The player's key, of before or a new one. */
function keyIn(folder: string): Key {
  const path = join(folder, "identity.key");
  if (values.resume) return new Key(new Uint8Array(readFileSync(path)));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return new Key(newSeed(path));
}

async function play(cheat: Cheat | null): Promise<void> {
  const onlooker = new Onlooker();
  const games = new Map([stratego, spiesAndLies].map((game) => [game.name, onlooker.at(game)]));
  const invite = readInvite(word);
  const guest = { key: keyIn(folder), name: values.name, folder, games };
  const seat = await (values.resume ? comeBack : sitDown)(invite, guest);
  const { match } = seat.copy;
  if (values.stop !== undefined) seat.copy.stopAt = Number(values.stop);
  const dice = diceOf(Number(values.seed));
  const person = match.genesis.game.name === stratego.name ? new StrategoPerson(dice) : new LiesPerson(dice, seat.seat);
  const outcome = await new Player(seat, onlooker, person, cheat).play();
  tell({ match: hex(match.genesis.id), seat: seat.seat, ...outcome, entries: match.count });
}

const cheat = values.cheat === undefined ? null : CHEATS.get(values.cheat);
if (folder === undefined || more.length > 0 || cheat === undefined) {
  process.stderr.write(USAGE);
  process.exit(64);
}
try {
  await play(cheat);
} catch (error) {
  if (error instanceof Blamed) tell({ fault: error.blame });
  else if (error instanceof Trouble || error instanceof BadInvite || error instanceof Spoilt) tell({ problem: error.message });
  else throw error;
  process.exitCode = 1;
}
