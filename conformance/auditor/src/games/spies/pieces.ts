// spec/spies.md, section 4: searches, Discovery, Sanction and the other chits.

import { broken, type Part } from "../../asks.js";
import { answered, choose, draw, open, play, read } from "./cards.js";
import { CITIES, COUNTERSPY, COUSIN, GENUINE, HAVENS, POWERS, RUSSIA, SPY_FACES, STRENGTHS } from "./tables.js";
import type { Secret, Spy, World } from "./world.js";

const CAPTURE_POUNDS = 3;
const HAVEN_NAMES = HAVENS.map((city) => CITIES[city].name);

export function havenNamed(name: string): number {
  return HAVENS.find((city) => CITIES[city].name === name)!;
}

/** A seat says what all see; an untruth is a breach. Null if it says nothing. */
function* tells(seat: number, rule: string, [yes, no]: [string, string], truth: boolean): Part<boolean | null> {
  const answer = yield* choose(seat, [yes, no]);
  if (answer !== null && answer !== (truth ? yes : no)) throw broken(seat, rule);
  return answer === null ? null : truth;
}

// Searches.

/** A power's police search a spy in their city. */
export function* search(w: World, power: number, spy: Spy): Part<void> {
  const { stands, words } = yield* answered(w, power, spy.power, [["papers", []], ["escape", HAVEN_NAMES]]);
  if (!stands) {
    if (words[0] === "escape") w.place(spy, havenNamed(words[2]));
    return;
  }
  if (yield* isWeaker(w, power, spy)) yield* capture(w, spy, power);
}

function* isWeaker(w: World, power: number, spy: Spy): Part<boolean> {
  const seat = w.powers[power].seat!;
  const viewer = w.powers[spy.power].seat!;
  const police = w.policeIn(power, spy.city!);
  const known = spy.face;
  const spySlot = known === null ? yield* read(w, spy, seat) : null;
  const closed = police.filter(({ face }) => face === null).map(({ slot }) => slot);
  if (viewer !== seat && w.runner(spy.power) !== null && closed.length > 0) {
    yield { ask: "show", slots: closed, seat: viewer, copies: w.newSlots("copy", closed.length) };
  }
  const answer = yield* choose(seat, ["captured", "free"]);
  if (answer === null) return false;
  const strengths = [...new Set(POWERS[power].police)].sort((a, b) => a - b);
  let sums: { items: number[]; sum: number }[] = [{ items: [], sum: 0 }];
  for (const { face } of police) {
    sums = sums.flatMap(({ items, sum }) =>
      face === null ? strengths.map((strength) => ({ items: [...items, strength], sum: sum + strength })) : [{ items, sum: sum + face }],
    );
  }
  const faces = known === null ? SPY_FACES : [known];
  const tuples = sums.flatMap(({ items, sum }) =>
    faces.filter((face) => sum > STRENGTHS[face] === (answer === "captured")).map((face) => (known === null ? [...items, face] : items)),
  );
  if (tuples.length === 0) throw broken(seat, "false-comparison");
  yield { ask: "claimOneOf", seat, rule: "false-comparison", slots: spySlot === null ? closed : [...closed, spySlot], tuples };
  return answer === "captured";
}

/** Whether a spy brings anybody anything (Powers of one seat, rule 3). */
export function hasWorth(w: World, spy: Spy): boolean {
  return spy.power !== RUSSIA || !w.russiaChangesHands;
}

/** `captor`: a power, or null of a neutral counterspy. */
function* capture(w: World, spy: Spy, captor: number | null): Part<void> {
  yield* open(spy);
  w.remove(spy, "captured");
  spy.captor = captor;
  if (captor === null) return;
  w.powers[captor].record.captured.push({ spy, year: w.year });
  if (!hasWorth(w, spy)) return;
  w.powers[captor].purse.known += CAPTURE_POUNDS;
  yield* draw(w, captor, 1);
}

// Discovery.

export function mayDiscover(w: World, spy: Spy, secret: Secret): boolean {
  const { power } = spy;
  const controller = w.controller(secret);
  if (spy.carries !== null || CITIES[spy.city!].haven || secret.control?.by === "drop" || controller === power) return false;
  if (controller === null && secret.power === power && w.territory(secret.city) === power) return false;
  if (controller !== null && w.areStrangers(power, controller)) return false;
  if (secret.power !== null && w.areStrangers(power, secret.power) && w.territory(secret.city) === secret.power) return false;
  return w.mayGain(power, secret);
}

export function* discovery(w: World, chit: number, spy: Spy, secret: Secret): Part<void> {
  const { power } = spy;
  const seat = w.powers[power].seat!;
  yield* play(w, power, "discovery", chit);
  const owner = w.controller(secret) ?? secret.power;
  if (owner !== null && owner !== power) {
    const { stands } = yield* answered(w, power, owner, [["cover", []], ["double-cross", []]]);
    if (!stands) return;
  }
  const isGenuine = yield* looksAt(w, secret, seat);
  if (isGenuine === null) return;
  if (isGenuine) {
    w.setControl(secret, { by: "spy", spy });
    return;
  }
  const controller = w.controller(secret);
  w.setControl(secret, null);
  secret.fate = "gone";
  if (controller === null && secret.power !== null) return;
  const least = secret.face! - COUNTERSPY;
  if (!(yield* survives(spy, seat, least))) yield* capture(w, spy, controller);
}

// Whether a secret is genuine, as its finder says; null if it says nothing.
function* looksAt(w: World, secret: Secret, seat: number): Part<boolean | null> {
  if (secret.face !== null) {
    return yield* tells(seat, "false-secret", ["genuine", "counterspy"], GENUINE.includes(secret.face));
  }
  const slot = yield* read(w, secret, seat);
  const answer = yield* choose(seat, ["genuine", "counterspy"]);
  if (answer === null) return null;
  if (answer === "genuine") {
    yield { ask: "claim", seat, rule: "false-secret", slots: [slot], faces: GENUINE };
    return true;
  }
  const face = yield* open(secret, slot);
  if (face !== null && GENUINE.includes(face)) throw broken(seat, "false-secret");
  return face === null ? null : false;
}

function* survives(spy: Spy, seat: number, strength: number): Part<boolean> {
  const strong = SPY_FACES.filter((face) => face === COUSIN || STRENGTHS[face] >= strength);
  if (spy.face !== null) {
    return (yield* tells(seat, "false-survival", ["survives", "captured"], strong.includes(spy.face))) ?? true;
  }
  const answer = yield* choose(seat, ["survives", "captured"]);
  if (answer === "captured") {
    const face = yield* open(spy);
    if (face !== null && strong.includes(face)) throw broken(seat, "false-survival");
    return false;
  }
  if (answer === "survives") yield { ask: "claim", seat, rule: "false-survival", slots: [spy.slot], faces: strong };
  return true;
}

// Sanction.

export function* sanction(w: World, chit: number, assassin: Spy, victim: Spy): Part<void> {
  yield* play(w, assassin.power, "sanction", chit);
  const isCousin = yield* saysCousin(w, victim);
  if (isCousin && !(yield* saysCousin(w, assassin))) {
    yield* kill(w, assassin, victim.power);
    return;
  }
  const answers = yield* answered(w, assassin.power, victim.power, [["cover", []], ["escape", HAVEN_NAMES], ["double-cross", []]]);
  if (answers.stands) {
    yield* murder(w, assassin, victim);
  } else if (answers.words[0] === "escape") {
    w.place(victim, havenNamed(answers.words[2]));
  } else if (answers.words[0] === "double-cross") {
    yield* open(assassin);
    if (assassin.face !== COUSIN || isCousin) yield* kill(w, assassin, victim.power);
  }
}

function* saysCousin(w: World, spy: Spy): Part<boolean> {
  const seat = w.powers[spy.power].seat!;
  if (spy.face !== null) return (yield* tells(seat, "false-cousin", ["cousin", "not cousin"], spy.face === COUSIN)) ?? false;
  const answer = yield* choose(seat, ["cousin", "not cousin"]);
  if (answer === "cousin") {
    const face = yield* open(spy);
    if (face !== null && face !== COUSIN) throw broken(seat, "false-cousin");
    return true;
  }
  const faces = SPY_FACES.filter((face) => face !== COUSIN);
  if (answer === "not cousin") yield { ask: "claim", seat, rule: "false-cousin", slots: [spy.slot], faces };
  return false;
}

function* kill(w: World, spy: Spy, killer: number): Part<void> {
  yield* open(spy);
  w.remove(spy, "killed");
  w.powers[killer].record.killed.push({ spy, year: w.year });
}

function* murder(w: World, assassin: Spy, victim: Spy): Part<void> {
  const secret = victim.carries;
  yield* open(victim);
  if (secret !== null && assassin.carries === null && w.mayGain(assassin.power, secret)) {
    const answer = yield* choose(w.powers[assassin.power].seat!, ["seize", "pass"]);
    if (answer === "seize") yield* handOver(w, secret, assassin.power, assassin.name);
  }
  yield* kill(w, victim, assassin.power);
}

// Drop, Escape, Recruit.

/** The pieces of a power in a city that could take a secret there, by their names. */
export function takers(w: World, power: number, secret: Secret): string[] {
  const spies = w.powers[power].spies.filter((spy) => spy.city === secret.city && spy.carries === null).map(({ name }) => name);
  const mayGuard = w.freePolice(power, secret.city) > 0 && (secret.power !== power || secret.city === secret.home);
  return mayGuard ? [...spies, "police"] : spies;
}

/** A secret goes to a piece, by its name, and is shown to its player. */
export function* handOver(w: World, secret: Secret, power: number, piece: string): Part<void> {
  w.setControl(secret, piece === "police" ? { by: "police", power } : { by: "spy", spy: w.spyNamed(piece) });
  if (secret.face === null && w.runner(power) !== null) yield* read(w, secret, w.powers[power].seat!);
}

export function* drop(w: World, chit: number, spy: Spy): Part<void> {
  const secret = spy.carries!;
  yield* play(w, spy.power, "drop", chit);
  for (const other of w.behind(spy.power)) {
    const pieces = w.areFoes(other, spy.power) ? takers(w, other, secret) : [];
    if (pieces.length === 0) continue;
    const { stands, words } = yield* answered(w, spy.power, other, [["intercept", pieces]]);
    if (words.length === 0) continue;
    if (stands) break;
    yield* handOver(w, secret, other, words[2]);
    return;
  }
  w.setControl(secret, { by: "drop", power: spy.power });
}

export function* escape(w: World, chit: number, spy: Spy, haven: number): Part<void> {
  yield* play(w, spy.power, "escape", chit);
  const { captor } = spy;
  if (captor !== null) {
    const { stands } = yield* answered(w, spy.power, captor, [["double-cross", []]]);
    if (!stands) return;
  }
  w.place(spy, haven);
}

export function* recruit(w: World, chit: number, spy: Spy, city: number): Part<void> {
  yield* play(w, spy.power, "recruit", chit);
  w.place(spy, city);
}
