// How the Asks about decks are answered (spec/proofs.md, P6.3, P6.5, P6.6 and P6.8): cards that no seat deals.

import {ALL_CARD_FACES, closedSlots, heldBy, movedCards, ownCards, provedScript, shuffledScript} from '../record/card_scripts.mjs';
import {unlessSeatLeft} from '../record/scripts.mjs';
import {keysScript} from './keys.mjs';
import {uncovered} from './tokens.mjs';

const MOST_DECKS = 256;
const MOST_CARDS = 168;
const FEWEST_SHUFFLED = 2;
const MOST_TUPLES = 250;
const MOST_CARDS_OF_CLAIM = 32;
const MOST_POINTS_OF_CLAIM = 1900;

/** No message, but once a match the keys. */
function* newDeckScript(table, {deck, faces}) {
  yield* keysScript(table);
  const {cards} = table;
  if (cards.decks.has(deck) || !(deck >= 0 && deck < MOST_DECKS) || !(faces.length > 0 && faces.length <= MOST_CARDS)) {
    throw new RangeError(`the rules lay deck ${deck} twice, or with too many cards`);
  }
  cards.decks.set(deck, cards.public(faces, cards.joint));
  return null;
}

/** One message of each seat in order; none for fewer than two cards. */
function* shuffleScript(table, {deck}) {
  const {cards, gone, genesis: {rulebook}} = table;
  if (cards.shuffled >= (rulebook.mostShuffles ?? 0)) {
    throw new RangeError('the rules shuffle more often than they may');
  }
  cards.shuffled += 1;
  const {joint} = cards;
  for (const seat of [...cards.keys.keys()]) {
    const before = cards.decks.get(deck);
    if (!gone.has(seat) && before.length >= FEWEST_SHUFFLED) {
      cards.decks.set(deck, (yield* unlessSeatLeft(shuffledScript(table, seat, before, false, joint))) ?? before);
    }
  }
  return null;
}

/** One message of each seat that gives tokens; then each card is under the key of its drawer. */
function* drawScript(table, {deck, hands}) {
  const {cards} = table;
  const drawn = hands.flatMap(([seat, slots]) => slots.map((slot) => ({seat, slot})));
  const top = cards.top(deck, drawn.length);
  const read = yield* uncovered(table, top.map((card, at) => ({card, viewer: drawn[at].seat})));
  cards.decks.set(deck, cards.decks.get(deck).slice(drawn.length));
  drawn.forEach(({seat, slot}, at) => table.put(slot, {seat, card: read[at], faces: ALL_CARD_FACES}));
  return null;
}

/** No message: the cards lie there under the joint key. */
function* layScript(table, {deck, slots}) {
  const {cards} = table;
  cards.top(deck, slots.length).forEach((card, at) => table.put(slots[at], {seat: null, card, faces: ALL_CARD_FACES}));
  cards.decks.set(deck, cards.decks.get(deck).slice(slots.length));
  return null;
}

/** For closed cards a message of their holder; if nobody holds them, one of each other seat. */
function* passOnScript(table, {kind, slots, seat, copies = []}) {
  const {cards, faces, gone} = table;
  const left = slots.filter((slot) => !gone.has(seat) && !table.lacks(slot));
  table.leaveOut(copies.filter((_, at) => !left.includes(slots[at])));
  if (left.length === 0) {
    return null;
  }
  const hidden = closedSlots(table, left);
  const giver = hidden.length > 0 ? heldBy(table, hidden) : seat;
  const opened = left.filter((slot) => faces.has(slot));
  const open = cards.public(opened.map((slot) => faces.get(slot)), cards.keys.get(seat));
  const under = hidden.map((slot) => table.live(slot).card);
  const passed = yield* passedCards(table, giver, seat, under);
  const now = new Map([...opened.map((slot, at) => [slot, open[at]]), ...(passed ?? []).map((card, at) => [hidden[at], card])]);
  if (kind === 'Show') {
    slots.forEach((slot, at) => {
      if (now.has(slot)) {
        table.put(copies[at], {seat, card: now.get(slot), faces: ALL_CARD_FACES});
      } else {
        table.leaveOut([copies[at]]);
      }
    });
    cards.looks += now.size;
  }
  for (const [slot, card] of now) {
    if (kind === 'Give' || (giver === null && !faces.has(slot))) {
      table.hold(slot, {seat, card, faces: ALL_CARD_FACES});
    }
  }
  return null;
}

/** Closed cards of one holder as another seat can read them; null if that is gone, and nobody else can do it. */
function* passedCards(table, giver, seat, under) {
  if (giver === null) {
    return yield* uncovered(table, under.map((card) => ({card, viewer: seat})));
  }
  return giver === seat ? under : yield* movedCards(table, giver, under, table.cards.keys.get(seat));
}

/** For closed cards a message of their holder, if any; then all go to the bottom, in order. */
function* backScript(table, {slots, deck}) {
  const {cards, faces} = table;
  const left = slots.filter((slot) => !table.lacks(slot));
  const hidden = closedSlots(table, left);
  const giver = hidden.length > 0 ? heldBy(table, hidden) : null;
  const under = hidden.map((slot) => table.live(slot).card);
  const closed = giver === null ? under : yield* movedCards(table, giver, under, cards.joint);
  const now = new Map((closed ?? []).map((card, at) => [hidden[at], card]));
  const back = left.filter((slot) => faces.has(slot) || now.has(slot));
  const [known, {joint}] = [back.filter((slot) => faces.has(slot)), cards];
  cards.public(known.map((slot) => faces.get(slot)), joint).forEach((card, at) => now.set(known[at], card));
  cards.decks.set(deck, [...cards.decks.get(deck), ...back.map((slot) => now.get(slot))]);
  left.forEach((slot) => table.dead.add(slot));
  return null;
}

/** One message: the proof. */
function* claimOneOfScript(table, {seat, rule, slots, tuples}) {
  const cards = ownCards(table, seat, slots);
  const [n, k] = [tuples.length, slots.length];
  const fits = n >= 1 && n <= MOST_TUPLES && k >= 1 && k <= MOST_CARDS_OF_CLAIM && n * (k + 1) <= MOST_POINTS_OF_CLAIM;
  if (!fits || tuples.some((faces) => faces.length !== k)) {
    throw new RangeError('the rules ask a claim that nobody can prove');
  }
  yield* provedScript(table, seat, cards, tuples, rule);
  table.cards.claims += 1;
  return null;
}

/** By kind of Ask. */
export const DECK_SCRIPTS = new Map([
  ['NewDeck', newDeckScript],
  ['Shuffle', shuffleScript],
  ['Draw', drawScript],
  ['Lay', layScript],
  ['Show', passOnScript],
  ['Give', passOnScript],
  ['Back', backScript],
  ['ClaimOneOf', claimOneOfScript],
]);
