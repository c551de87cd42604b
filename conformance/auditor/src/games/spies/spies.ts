// spec/spies.md: SPIES!, two to five seats.

import { integerOf, oneOf, type Game, type Rules } from "../../asks.js";
import { step } from "./leaving.js";
import { alternateRussia, bidForRussia } from "./russia.js";
import { score } from "./scoring.js";
import { setUp, talk } from "./setup.js";
import { ALL_POWERS, FIRST_YEAR, RUSSIA } from "./tables.js";
import { Turn } from "./turn.js";
import { powersOfSeats, World, type Allocation } from "./world.js";

function* play(w: World): Rules {
  yield* setUp(w);
  for (w.year = FIRST_YEAR; ; w.year += 1) {
    if (w.year > FIRST_YEAR) {
      yield* alternateRussia(w);
      yield* step(w);
      yield* talk(w);
    }
    for (const power of ALL_POWERS) {
      if (power === RUSSIA && (yield* bidForRussia(w))) yield* step(w);
      if (w.runner(power) === null) continue;
      yield* new Turn(w, power).play();
      yield* step(w);
    }
    if (w.year === w.lastYear) break;
  }
  yield* score(w);
}

export const spies: Game = {
  name: "spies",
  version: 2,
  options: [
    oneOf("allocation", "standard", "alternate", "bid", "lesson"),
    oneOf("alliances", "no", "yes"),
    oneOf("handicap", "even", "none", "lower", "sum"),
    oneOf("purse", "open", "secret"),
    integerOf("talk", 0, 24),
    integerOf("answer", 0, 600),
  ],
  needsProofs: true,
  talk: true,
  sides: (seats) => (seats >= 2 && seats <= 5 ? Array.from({ length: seats }, (_, seat) => seat) : null),
  fits(options, seats) {
    const [allocation, handicap] = [String(options.get("allocation")), options.get("handicap")];
    if (powersOfSeats(seats, allocation) === null) return false;
    const hasAlliances = options.get("alliances") === "yes";
    return !hasAlliances || !(handicap === "lower" || handicap === "sum" || (seats === 3 && allocation === "alternate"));
  },
  *rules(options, seats) {
    yield* play(
      new World({
        seats,
        allocation: options.get("allocation") as Allocation,
        alliances: options.get("alliances") === "yes",
        handicap: String(options.get("handicap")),
        purseIsSecret: options.get("purse") === "secret",
        hasTalk: options.get("talk") !== 0,
      }),
    );
  },
};
