// spec/spies.md, section 7: trades.

import type { Part } from "../../asks.js";
import { choose } from "./cards.js";
import { handOver, takers } from "./pieces.js";
import { hide, move } from "./purse.js";
import { CITIES, cityNamed, MOST_CHITS, range, RUSSIA } from "./tables.js";
import type { Secret, World } from "./world.js";

const SECRET = "?";

/** Pounds, or `?`; chits by their slots, or how many. */
type Offer = { pounds: number | null; chits: number[]; wanted: number | null; wantedChits: number };

function givesNothing(w: World, power: number): boolean {
  return power === RUSSIA && w.russiaIsBidFor;
}

export function* trade(w: World, power: number, other: number): Part<void> {
  const seat = w.powers[power].seat!;
  const partner = w.powers[other].seat!;
  const word: string | null = yield { ask: "choose", seat, options: { has: (text) => offerOf(w, power, other, text) !== null } };
  if (word === null) return;
  const offer = offerOf(w, power, other, word)!;
  const given = offer.pounds === null ? yield* hiddenAmount(w, seat, partner) : null;
  const wanted = offer.wanted === null ? yield* hiddenAmount(w, seat, partner) : null;
  const secrets = yield* nameSecrets(w, power, other);
  if (secrets === null) return;
  const answer = yield* choose(partner, ["accept", "decline"]);
  if (answer !== "accept") return;
  shift(w, power, other, offer.pounds ?? 0);
  shift(w, other, power, offer.wanted ?? 0);
  if (given !== null) yield* move(w, power, -1, given.own);
  if (wanted !== null) yield* move(w, other, -1, wanted.shown);
  if (wanted !== null) yield* move(w, power, 1, wanted.own);
  if (given !== null) yield* move(w, other, 1, given.shown);
  yield* swapChits(w, power, other, offer);
  for (const { secret, taker, piece } of secrets) yield* handOver(w, secret, taker, piece);
}

/** Whether there is anything that a power could propose to another one. */
export function mayPropose(w: World, power: number, other: number): boolean {
  const [mine, others] = [power, other].map((party) => (givesNothing(w, party) ? 0 : w.powers[party].chits.length));
  const [room, otherRoom] = [power, other].map((party) => w.powers[party].chits.length < MOST_CHITS);
  const hasPounds = [power, other].some((party) => !givesNothing(w, party) && (w.settings.purseIsSecret || w.powers[party].purse.known > 0));
  return hasPounds || (mine > 0 && (otherRoom || others > 0)) || (others > 0 && room) || canMove(w, power, other);
}

// What a move proposes; null if it is none.
function offerOf(w: World, power: number, other: number, word: string): Offer | null {
  const match = /^propose (\?|0|[1-9][0-9]*) (-|[0-9]+) (\?|0|[1-9][0-9]*) (0|[1-9][0-9]*)$/.exec(word);
  if (match === null) return null;
  const [hand, others] = [w.powers[power].chits, w.powers[other].chits];
  const pounds = amountOf(w, power, match[1]);
  const wanted = amountOf(w, other, match[3]);
  if (pounds === undefined || wanted === undefined) return null;
  const places = match[2] === "-" ? [] : [...match[2]].map(Number);
  const wantedChits = Number(match[4]);
  if (places.some((place, i) => place >= hand.length || (i > 0 && place <= places[i - 1])) || wantedChits > others.length) return null;
  if (givesNothing(w, power) && (pounds !== 0 || places.length > 0)) return null;
  if (givesNothing(w, other) && (wanted !== 0 || wantedChits > 0)) return null;
  const change = wantedChits - places.length;
  if (hand.length + change > MOST_CHITS || others.length - change > MOST_CHITS) return null;
  if (pounds === 0 && wanted === 0 && places.length === 0 && wantedChits === 0 && !canMove(w, power, other)) return null;
  return { pounds, chits: places.map((place) => hand[place]), wanted, wantedChits };
}

// Null: hidden. Undefined: not possible.
function amountOf(w: World, power: number, word: string): number | null | undefined {
  const { purseIsSecret } = w.settings;
  if (word === SECRET) return purseIsSecret ? null : undefined;
  const pounds = Number(word);
  return pounds <= (purseIsSecret ? 0 : w.powers[power].purse.known) ? pounds : undefined;
}

function shift(w: World, from: number, to: number, pounds: number): void {
  w.powers[from].purse.known -= pounds;
  w.powers[to].purse.known += pounds;
}

function* hiddenAmount(w: World, seat: number, partner: number): Part<{ own: number[]; shown: number[] }> {
  const own = yield* hide(w, seat, 3);
  const shown = w.newSlots("copy", 3);
  yield { ask: "show", slots: own, seat: partner, copies: shown };
  return { own, shown };
}

type Move = { secret: Secret; taker: number; piece: string };

// By the words of the proposer, what secrets one power can hand to the other.
function moves(w: World, power: number, other: number, before: Move[]): Map<string, Move> {
  const all = new Map<string, Move>();
  for (const [verb, from, taker] of [["give", power, other], ["want", other, power]] as const) {
    if (givesNothing(w, from)) continue;
    for (const secret of w.secrets) {
      const { fate, control } = secret;
      if (fate !== "play" || w.controller(secret) !== from || secret.power === from || control!.by === "drop") continue;
      if (before.some((move) => move.secret === secret)) continue;
      for (const piece of takers(w, taker, secret)) {
        const isTaken = (move: Move) => move.taker === taker && move.piece === piece && (piece !== "police" || move.secret.city === secret.city);
        const room = piece === "police" ? w.freePolice(taker, secret.city) : 1;
        if (before.filter(isTaken).length >= room) continue;
        all.set(`${verb} ${CITIES[secret.home].name} ${piece}`, { secret, taker, piece });
      }
    }
  }
  return all;
}

function canMove(w: World, power: number, other: number): boolean {
  return moves(w, power, other, []).size > 0;
}

function* nameSecrets(w: World, power: number, other: number): Part<Move[] | null> {
  const named: Move[] = [];
  for (;;) {
    const possible = moves(w, power, other, named);
    if (possible.size === 0 && !w.settings.purseIsSecret) return named;
    const answer = yield* choose(w.powers[power].seat!, [...possible.keys(), "ready"]);
    if (answer === null) return null;
    if (answer === "ready") return named;
    named.push(possible.get(answer)!);
  }
}

function* swapChits(w: World, power: number, other: number, offer: Offer): Part<void> {
  const [mine, others] = [w.powers[power], w.powers[other]];
  const handed: number[] = [];
  for (const _ of range(offer.wantedChits)) {
    const left = others.chits.filter((slot) => !handed.includes(slot));
    const answer = yield* choose(others.seat!, left.map((slot) => `hand ${slot}`));
    if (answer !== null) handed.push(Number(answer.slice("hand ".length)));
  }
  if (offer.chits.length > 0) yield { ask: "give", slots: offer.chits, seat: others.seat! };
  if (handed.length > 0) yield { ask: "give", slots: handed, seat: mine.seat! };
  const swapped = (hand: number[], out: number[], into: number[]) => [...hand.filter((slot) => !out.includes(slot)), ...into];
  mine.chits = swapped(mine.chits, offer.chits, handed);
  others.chits = swapped(others.chits, handed, offer.chits);
}

export function secretNamed(w: World, name: string): Secret {
  return w.secretFrom(cityNamed(name));
}
