// How each Ask is answered in the profile of proofs (spec/proofs.md, P4 to P6), in games without decks: every step is
// proved in the entry that makes it.

import {Broken} from './refusals.mjs';
import {
  CARD_BYTES, checkKey, checkMember, checkMoved, checkOpened, checkShuffled, MOVE_BYTES, OPENING_BYTES, plainFace, publicCard,
  receivedCards, receivedScalars, requireLength, shuffleBytes,
} from './proofs.mjs';
import {chooseScript, rollScript, togetherScript, unlessLeft} from './scripts.mjs';

const MOST_LAID = 15_000;
const KEY_PROOF_BYTES = 64;
const MEMBER_BYTES = 64;
const MOST_CARD_FACE = 127;
const ALL_CARD_FACES = Array.from({length: MOST_CARD_FACE + 1}, (_, face) => face);

function ascendingFaces(faces) {
  return [...faces].sort((left, right) => left - right);
}

function contextOf(table, seat) {
  return [table.genesis.id, table.serial, seat];
}

/** A seat as a prover. */
function proverOf(table, seat) {
  return {ctx: contextOf(table, seat), key: table.cards.keys.get(seat)};
}

/** Notes proofs that are in an entry, and checks them unless that is left to the seats. */
function settle(table, count, check) {
  if (table.checksProofs) {
    check();
  }
  table.cards.proofs += count;
}

/** Before the first card: a key of each seat (P5). */
function* keysScript(table) {
  const {cards, gone, genesis} = table;
  if (cards.asked) {
    return;
  }
  cards.asked = true;
  for (const seat of genesis.players.keys()) {
    const message = gone.has(seat) ? null : yield* unlessLeft({seat, kind: 'Keys', decision: false});
    if (message === null) {
      cards.withoutKey(seat);
    } else {
      takeKey(table, seat, message);
    }
  }
}

function takeKey(table, seat, {key, proof, shareKey}) {
  const {cards} = table;
  requireLength(shareKey, 0);
  requireLength(proof, KEY_PROOF_BYTES);
  const element = checkKey(contextOf(table, seat), key, proof, table.checksProofs);
  const others = [...cards.keys.values()];
  const twice = others.some((other) => other.minus(element).isNothing);
  if (twice || others.reduce((sum, other) => sum.plus(other), element).isNothing) {
    throw new Broken('wrong-key');
  }
  cards.keys.set(seat, element);
  cards.proofs += 1;
}

/** A shuffle of cards by the seat whose key they are under; throws SeatLeft if it leaves. */
function* shuffledScript(table, seat, before, decision) {
  const message = yield {seat, kind: 'Shuffled', decision};
  requireLength(message.cards, CARD_BYTES * before.length);
  requireLength(message.proof, shuffleBytes(before.length));
  const cards = receivedCards(message.cards);
  settle(table, 1, () => checkShuffled(proverOf(table, seat), before, cards, message.proof));
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
    const laid = table.gone.has(seat) ? null : yield* orLeft(exactly
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

/** What a script returns, or null if the seat that owes leaves. */
function* orLeft(script) {
  let step = script.next();
  while (!step.done) {
    const message = yield* unlessLeft(step.value);
    if (message === null) {
      return null;
    }
    step = script.next(message);
  }
  return step.value;
}

function* openCard(table, {slot}) {
  if (table.neverLaid.has(slot)) {
    return null;
  }
  const {seat, card} = table.live(slot);
  let face = table.faces.get(slot) ?? null;
  if (face === null && !table.gone.has(seat)) {
    const message = yield* unlessLeft({seat, kind: 'Opened', decision: false});
    face = message && openedFace(table, seat, card, message);
  }
  if (face === null && table.cards.released.has(seat)) {
    face = plainFace(card);
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

/** A card under another key, by its holder; null if that is gone, or leaves, and nobody else can do it. */
function* movedCard(table, seat, card, viewer) {
  const message = table.gone.has(seat) ? null : yield* unlessLeft({seat, kind: 'Moved', decision: false});
  const key = table.cards.keys.get(viewer);
  if (message === null) {
    return table.cards.released.has(seat) ? publicCard(plainFace(card), key) : null;
  }
  requireLength(message.cards, CARD_BYTES);
  requireLength(message.proofs, MOVE_BYTES);
  const [moved] = receivedCards(message.cards);
  receivedScalars(message.proofs);
  settle(table, 1, () => checkMoved(proverOf(table, seat), card, key, moved, message.proofs));
  return moved;
}

function* showCard(table, {slot, seat}) {
  if (!table.neverLaid.has(slot)) {
    const {seat: holder, card} = table.live(slot);
    if (holder === seat || table.faces.has(slot)) {
      throw new RangeError(`the rules show slot ${slot} to a seat that can read it`);
    }
    table.cards.looks += (yield* movedCard(table, holder, card, seat)) === null ? 0 : 1;
  }
  return null;
}

function* mixCards(table, ask) {
  const {seat, old, chosen} = ask;
  if (old.some((slot) => table.neverLaid.has(slot))) {
    table.leaveOut(ask.new);
    return null;
  }
  const before = old.map((slot) => table.live(slot));
  if (before.some((hidden) => hidden.seat !== seat) || new Set(old).size !== old.length || ask.new.length !== old.length) {
    throw new RangeError('the rules mix slots that are not the seat\'s own, or one of them twice');
  }
  const cards = before.map(({card}) => card);
  let mixed = null;
  if (!table.gone.has(seat)) {
    const one = cards.length === 1 ? yield* movedCard(table, seat, cards[0], seat) : null;
    mixed = one === null ? null : [one];
    mixed = cards.length > 1 ? yield* orLeft(shuffledScript(table, seat, cards, chosen)) : mixed;
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
  for (const slot of slots.filter((each) => !shown.includes(each))) {
    const {card} = table.live(slot);
    const {proof} = yield {seat, kind: 'Proved', decision: false};
    requireLength(proof, MEMBER_BYTES * faces.length);
    settle(table, 1, () => checkMember(proverOf(table, seat), [card], faces.map((face) => [face]), proof, rule));
  }
  table.cards.claims += shown.length < slots.length ? 1 : 0;
  return null;
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
