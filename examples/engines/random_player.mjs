// An engine for P2P Stratego in JavaScript, without any package: plays any game, by chance.
//
//     p2p-stratego play stratego --engine "node examples/engines/random_player.mjs"
//
// docs/engines.md has the lines.  Each is one object of JSON.

import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function chanceFrom(seed) {
  let state = seed ?? Math.floor(Math.random() * 2 ** 32);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of the options by chance; for cards to lay, the example. */
function answer({ number, choose, example }, chance) {
  if (!choose) return { type: "lay", number, faces: example };
  // Of billions of set-ups only the first are listed.
  const option = choose.complete ? Math.floor(chance() * choose.options.length) : example;
  return { type: "choose", number, option };
}

let chance = chanceFrom(null);
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "hello", protocol: 1, name: "Random Player in JavaScript" });
  else if (message.type === "options") say({ type: "ready" });
  else if (message.type === "game") chance = chanceFrom(message.seed);
  else if (message.type === "decide") say(answer(message, chance));
  else if (message.type === "error") say({ type: "error", text: message.text });
  else if (message.type === "quit") break;
}
