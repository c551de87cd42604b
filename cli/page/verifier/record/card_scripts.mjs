// How each Ask is answered in the profile of proofs (spec/proofs.md, P4 to P6), but for decks: every step is
// proved in the entry that makes it.

import {keysScript} from '../decks/keys.mjs';
import {uncovered} from '../decks/tokens.mjs';
import {Broken} from '../refusals.mjs';
import {
  CARD_BYTES, checkMember, checkMoved, checkOpened, checkShuffled, contextOf, faceOfPoint, MOVE_BYTES, OPENING_BYTES, proverOf,
  publicCard, receivedCards, receivedScalars, requireLength, shuffleBytes,
} from '../crypto/proofs.mjs';
import {chooseScript, rollScript, togetherScript, unlessLeft, unlessSeatLeft} from './scripts.mjs';

const MOST_LAID = 15_000;
const MEMBER_BYTES = 64;
const MOST_MOVED = 100;
const MOST_CARD_FACE = 127;
export const ALL_CARD_FACES = Array.from({length: MOST_CARD_FACE + 1}, (_, face) => face);

function ascendingFaces(faces) {
  return [...faces].sort((left, right) => left - right);
}

/** Notes proofs that are in an entry, and checks them unless that is left to the seats. */
function settle(table, count, check) {
  if (table.checksProofs) {
    check();
  }
  table.cards.proofs += count;
}

/** A shuffle of cards under a key, by default that of the seat; throws SeatLeft if it leaves. */
export function* shuffledScript(table, seat, before, decision, key = table.cards.keys.get(seat)) {
  const message = yield {seat, kind: 'Shuffled', decision};
  requireLength(message.cards, CARD_BYTES * before.length);
  requireLength(message.proof, shuffleBytes(before.length));
  const cards = receivedCards(message.cards);
  settle(table, 1, () => checkShuffled({ctx: contextOf(table, seat), key}, before, cards, message.proof));
  return cards;
}

/** Cards of a free choice, each proved to show one of some faces. */
function* laidScript(table, seat, count, faces) {
  const {cards, proofs} = yield {seat, kind: 'Laid', decision: true};
  const length = MEMBER_BYTES * faces.length;
  requireLength(cards, CARD_BYTES * count);
  requireLength(proofs, length * count);
  const laid = receivedCards(cards);
  receivedScalars(proofs); // all of a message before its first proof (P4)
  settle(table, count, () => {
    laid.forEach((card, at) => checkMember(
      proverOf(table, seat), [card], faces.map((face) => [face]), proofs.subarray(length * at, length * (at + 1)), 'impossible-face'));
  });
  return laid;
}

/** The slots of a Commit in lots whose cards fit one message each; of an exact set all in one. */
function lotsOf({slots, exactly}, faces) {
  const most = exactly ? slots.length : Math.max(1, Math.floor(MOST_LAID / (CARD_BYTES + MEMBER_BYTES * faces.length)));
  return Array.from({length: Math.ceil(slots.length / most)}, (_, at) => slots.slice(at * most, (at + 1) * most));
}

function* commitCards(table, ask) {
  const {seat, exactly} = ask;
  yield* keysScript(table);
  const different = ascendingFaces(new Set(ask.faces));
  for (const slots of lotsOf(ask, different)) {
    const laid = table.gone.has(seat) ? null : yield* unlessSeatLeft(exactly
      ? exactCards(table, seat, ascendingFaces(ask.faces)) : laidScript(table, seat, slots.length, different));
    if (laid === null) {
      table.leaveOut(slots);
    } else {
      slots.forEach((slot, at) => table.put(slot, {seat, card: laid[at], faces: ask.faces}));
    }
  }
  return null;
}

/** The cards of an exact set: those that all know, shuffled; one alone needs no message. */
function* exactCards(table, seat, faces) {
  const known = faces.map((face) => publicCard(face, table.cards.keys.get(seat)));
  return known.length === 1 ? known : yield* shuffledScript(table, seat, known, true);
}

function* openCard(table, {slot}) {
  if (table.lacks(slot)) {
    return null;
  }
  const {seat, card} = table.live(slot);
  let face = table.faces.get(slot) ?? null;
  if (face === null && seat === null) {
    const [{b}] = yield* uncovered(table, [{card, viewer: null}]);
    face = faceOfPoint(b);
  } else if (face === null && !table.gone.has(seat)) {
    const message = yield* unlessLeft({seat, kind: 'Opened', decision: false});
    face = message && openedFace(table, seat, card, message);
  }
  if (face === null && table.cards.released.has(seat)) {
    face = table.cards.read(seat, card);
  }
  if (face !== null && !table.faces.has(slot)) {
    table.faces.set(slot, face);
    table.ledger.open(slot, table.number);
  }
  return face;
}

function openedFace(table, seat, card, {face, proof}) {
  requireLength(face, 1);
  requireLength(proof, OPENING_BYTES);
  if (face[0] > MOST_CARD_FACE) {
    throw new Broken('not-a-message');
  }
  settle(table, 1, () => checkOpened(proverOf(table, seat), card, face[0], proof));
  return face[0];
}

/** The cards under `slots` that all are closed, in order. */
export function closedSlots(table, slots) {
  return slots.filter((slot) => table.live(slot) && !table.faces.has(slot));
}

/** The one holder of slots, or null if nobody holds them. */
export function heldBy(table, slots) {
  const [holder, ...others] = new Set(slots.map((slot) => table.live(slot).seat));
  if (others.length > 0) {
    throw new RangeError(`the rules ask one thing of slots ${slots}, which have several holders`);
  }
  return holder;
}

/** The cards under slots that a seat holds. */
export function ownCards(table, seat, slots) {
  const hidden = slots.map((slot) => table.live(slot));
  if (hidden.some((laid) => laid.seat !== seat) || new Set(slots).size !== slots.length) {
    throw new RangeError(`the rules ask seat ${seat} about slots ${slots}, which are not all its own`);
  }
  return hidden.map(({card}) => card);
}

/** Cards under another key, by their holder; null if that is gone, or leaves, and nobody else can do it. */
export function* movedCards(table, seat, cards, key) {
  if (cards.length > MOST_MOVED) {
    throw new RangeError(`the rules move ${cards.length} cards at once`);
  }
  const message = table.gone.has(seat) ? null : yield* unlessLeft({seat, kind: 'Moved', decision: false});
  if (message === null) {
    return table.cards.released.has(seat) ? cards.map((card) => publicCard(table.cards.read(seat, card), key)) : null;
  }
  requireLength(message.cards, CARD_BYTES * cards.length);
  requireLength(message.proofs, MOVE_BYTES * cards.length);
  const moved = receivedCards(message.cards);
  receivedScalars(message.proofs); // all of a message before its first proof (P4)
  settle(table, cards.length, () => {
    cards.forEach((card, at) => checkMoved(
      proverOf(table, seat), card, key, moved[at], message.proofs.subarray(MOVE_BYTES * at, MOVE_BYTES * (at + 1))));
  });
  return moved;
}

function* showCard(table, {slot, seat}) {
  if (!table.lacks(slot)) {
    const {seat: holder, card} = table.live(slot);
    if (holder === seat || holder === null || table.faces.has(slot)) {
      throw new RangeError(`the rules show slot ${slot} to a seat that can read it`);
    }
    table.cards.looks += (yield* movedCards(table, holder, [card], table.cards.keys.get(seat))) === null ? 0 : 1;
  }
  return null;
}

function* mixCards(table, ask) {
  const {seat, old, chosen} = ask;
  if (old.some((slot) => table.lacks(slot))) {
    table.leaveOut(ask.new);
    return null;
  }
  const cards = ownCards(table, seat, old);
  if (ask.new.length !== old.length) {
    throw new RangeError('the rules mix more slots into fewer');
  }
  let mixed = null;
  if (!table.gone.has(seat)) {
    mixed = cards.length > 1
      ? yield* unlessSeatLeft(shuffledScript(table, seat, cards, chosen))
      : yield* movedCards(table, seat, cards, table.cards.keys.get(seat));
  }
  if (table.gone.has(seat)) {
    mixed = table.cards.released.has(seat) ? cards : null;
  }
  if (mixed === null) {
    table.leaveOut(ask.new);
    return null;
  }
  ask.new.forEach((slot, at) => table.put(slot, {seat, card: mixed[at], faces: ALL_CARD_FACES}));
  old.forEach((slot) => table.dead.add(slot));
  table.cards.mixes += 1;
  return null;
}

/** Of open slots a claim comes with the entry before; of each closed one it is proved. */
function* claimCards(table, ask) {
  const {seat, rule, slots} = ask;
  const faces = ascendingFaces(ask.faces);
  const shown = slots.filter((slot) => table.live(slot) && table.faces.has(slot));
  if (shown.length > 0) {
    table.ledger.add({seat, rule, slots: shown, faces, exactly: false, number: table.number, sameAs: []});
  }
  for (const slot of slots.filter((number) => !shown.includes(number))) {
    yield* provedScript(table, seat, ownCards(table, seat, [slot]), faces.map((face) => [face]), rule);
  }
  table.cards.claims += shown.length < slots.length ? 1 : 0;
  return null;
}

/** The proof that cards of a seat show, in order, one of these tuples. */
export function* provedScript(table, seat, cards, tuples, rule) {
  const {proof} = yield {seat, kind: 'Proved', decision: false};
  requireLength(proof, MEMBER_BYTES * tuples.length);
  settle(table, 1, () => checkMember(proverOf(table, seat), cards, tuples, proof, rule));
}

/** By kind of Ask. */
export const CARD_SCRIPTS = new Map([
  ['Choose', chooseScript],
  ['Commit', commitCards],
  ['Open', openCard],
  ['OpenTo', showCard],
  ['Mix', mixCards],
  ['Claim', claimCards],
  ['Roll', rollScript],
  ['Together', (table, ask) => togetherScript(table, ask, commitCards)],
]);
