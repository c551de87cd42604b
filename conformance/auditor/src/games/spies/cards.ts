// spec/spies.md, sections 4 and 10: Asks that several parts of the rules need.

import { broken, type Part } from "../../asks.js";
import { CHIT, MOST_CHITS, type ChitName } from "./tables.js";
import { pay } from "./purse.js";
import type { Card, World } from "./world.js";

/** The cup. */
export const CUP = 0;

export function* choose(seat: number, options: string[]): Part<string | null> {
  const answer: string | null = yield { ask: "choose", seat, options: new Set(options) };
  return answer;
}

/** Under which slot a seat reads a card: its own, or the copy that it was shown, now or before (10.2). */
export function* read(w: World, card: Card, seat: number): Part<number> {
  if (card.holder === seat) return card.slot;
  const before = card.copies.get(seat);
  if (before !== undefined) return before;
  if (card.holder === null) {
    yield { ask: "give", slots: [card.slot], seat };
    card.holder = seat;
    return card.slot;
  }
  const [copy] = w.newSlots("copy", 1);
  card.copies.set(seat, copy);
  yield { ask: "show", slots: [card.slot], seat, copies: [copy] };
  return copy;
}

/** All see a card. */
export function* open(card: Card, slot = card.slot): Part<number | null> {
  if (card.face === null) {
    const face: number | null = yield { ask: "open", slot };
    card.face = face;
  }
  return card.face;
}

/** A power draws chits. */
export function* draw(w: World, power: number, wanted: number): Part<void> {
  const seat = w.runner(power);
  const number = Math.min(wanted, w.cup);
  if (seat === null || number === 0) return;
  if (w.cupIsStirred) yield { ask: "shuffle", deck: CUP };
  w.cupIsStirred = false;
  w.cup -= number;
  const slots = w.newSlots("chit", number);
  yield { ask: "draw", deck: CUP, hands: [[seat, slots]] };
  const hand = w.powers[power].chits;
  hand.push(...slots);
  const surplus: number[] = [];
  while (hand.length > MOST_CHITS) {
    const answer = yield* choose(seat, hand.map((slot) => `return ${slot}`));
    const slot = answer === null ? hand[hand.length - 1] : Number(answer.slice(7));
    hand.splice(hand.indexOf(slot), 1);
    surplus.push(slot);
  }
  if (surplus.length > 0) yield* back(w, surplus);
}

function* back(w: World, slots: number[]): Part<void> {
  yield { ask: "back", slots, deck: CUP };
  w.cup += slots.length;
  w.cupIsStirred = true;
}

/** Whether, by what all see, a power may play a chit of a kind now. */
export function mayPlay(w: World, power: number, name: ChitName): boolean {
  const { pounds, points } = CHIT[name];
  const { chits, purse } = w.powers[power];
  if (w.runner(power) === null || w.onlySearches(power) || chits.length === 0) return false;
  return (w.settings.purseIsSecret || purse.known >= pounds) && (w.mover !== power || w.points >= points);
}

/** A chit is played: its points, its face, its pounds; and it goes back. */
export function* play(w: World, power: number, name: ChitName, slot: number): Part<void> {
  const { face, pounds, points } = CHIT[name];
  const { chits } = w.powers[power];
  const seat = w.powers[power].seat!;
  if (w.mover === power) w.points -= points;
  chits.splice(chits.indexOf(slot), 1);
  const shown: number | null = yield { ask: "open", slot };
  if (shown !== null && shown !== face) throw broken(seat, "wrong-chit");
  yield* pay(w, power, pounds);
  yield* back(w, [slot]);
}

/** What an answer to a chit or a search came to. */
export type Answered = { stands: boolean; words: string[] };

/** Asks a power for an answer, and both for a Double Cross behind it, until one passes. */
export function* answered(w: World, actor: number, other: number, answers: [ChitName, string[]][]): Part<Answered> {
  const words = yield* askFor(w, other, answers);
  if (words === null) return { stands: true, words: [] };
  let stands = false;
  let asked = actor;
  while ((yield* askFor(w, asked, [["double-cross", []]])) !== null) {
    stands = !stands;
    asked = asked === actor ? other : actor;
  }
  return { stands, words };
}

// The words of the answer that was played, or null.
function* askFor(w: World, power: number, answers: [ChitName, string[]][]): Part<string[] | null> {
  const playable = answers.filter(([name]) => mayPlay(w, power, name));
  if (playable.length === 0) return null;
  const options = playable.flatMap(([name, ends]) =>
    w.powers[power].chits.flatMap((slot) => (ends.length === 0 ? [`${name} ${slot}`] : ends.map((end) => `${name} ${slot} ${end}`))),
  );
  const answer = yield* choose(w.powers[power].seat!, ["pass", ...options]);
  if (answer === null || answer === "pass") return null;
  const words = answer.split(" ");
  yield* play(w, power, words[0] as ChitName, Number(words[1]));
  return words;
}
