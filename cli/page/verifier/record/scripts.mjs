// How each Ask is answered (SPEC 6 and 7), in the profile of salted hashes.
//
// A script is a generator: it yields an Owed, `{seat, kind, decision}`, the one message outstanding (`decision`: whether
// a player decides it), and is sent that message.  It throws Broken if the message breaks a rule.  A SeatLeft is thrown
// into it if the seat that owes leaves the match instead.

import {equalBytes} from '../wire/bytes.mjs';
import {hideChoice, linkBefore, tossed} from '../crypto/hashes.mjs';
import {Broken} from '../refusals.mjs';
import {isSound} from '../crypto/sealed.mjs';

const MOST_SIDES = 2 ** 32;

/** The seat that owes the next message has left the match, so that message never comes. */
export class SeatLeft extends Error {}

/** The message of `owed`, or null if its seat leaves first. */
export function* unlessLeft(owed) {
  try {
    return yield owed;
  } catch (error) {
    if (error instanceof SeatLeft) {
      return null;
    }
    throw error;
  }
}

/** What a script returns, or null if the seat that owes leaves. */
export function* unlessSeatLeft(script) {
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

export function* chooseScript(table, ask) {
  const {move} = yield {seat: ask.seat, kind: 'Choice', decision: true};
  if (!ask.options.has(move)) {
    throw new Broken('illegal-choice');
  }
  return move;
}

/** The message of a seat that lays; null if it leaves instead. */
function* laidBy(table, owed, slots) {
  const message = yield* unlessLeft(owed);
  if (message === null) {
    table.leaveOut(slots);
    return null;
  }
  if (message.digests.length !== slots.length) {
    throw new Broken('wrong-count');
  }
  return message.digests;
}

function* commitScript(table, ask) {
  const {seat, slots, faces} = ask;
  const digests = yield* laidBy(table, {seat, kind: 'Commitments', decision: true}, slots);
  if (digests !== null) {
    table.lay(seat, slots, digests, faces);
    if (ask.exactly) {
      table.ledger.add({seat, rule: 'wrong-faces', slots, faces, exactly: true, number: table.number, sameAs: []});
    }
  }
  return null;
}

function* mixScript(table, ask) {
  const {seat, rule, old} = ask;
  const before = old.map((slot) => table.live(slot));
  const sound = before.every((hidden) => hidden.seat === seat) && new Set(old).size === old.length;
  if (!sound || ask.new.length !== old.length) {
    throw new RangeError('the rules mix slots that are not the seat\'s own, or one of them twice');
  }
  const digests = yield* laidBy(table, {seat, kind: 'Mixed', decision: ask.chosen}, ask.new);
  if (digests !== null) {
    const faces = new Set(before.flatMap((hidden, at) => {
      const face = table.faces.get(old[at]);
      return face === undefined ? hidden.faces : [face];
    }));
    table.lay(seat, ask.new, digests, [...faces]);
    old.forEach((slot) => table.dead.add(slot));
    table.mixes += 1;
    table.ledger.add({seat, rule, slots: ask.new, faces: [], exactly: true, number: table.number, sameAs: old});
  }
  return null;
}

function* openScript(table, ask) {
  const {seat} = table.live(ask.slot);
  const {face, salt} = yield {seat, kind: 'Opening', decision: false};
  table.checkOpening(ask.slot, face, salt);
  table.faces.set(ask.slot, face);
  table.ledger.open(ask.slot, table.number);
  return face;
}

/** The viewer's key, then the opening, sealed to it: whether the box opens, the viewer alone learns. */
function* openToScript(table, {slot, seat}) {
  const owner = table.live(slot).seat;
  if (owner === seat || table.faces.has(slot)) {
    throw new RangeError(`the rules show slot ${slot} to a seat that can read it`);
  }
  const look = yield {seat, kind: 'LookKey', decision: false};
  requireSound(look.key);
  const {key, box} = yield {seat: owner, kind: 'SealedOpening', decision: false};
  requireSound(key);
  const {number, serial} = table;
  table.looks.set(number, {viewer: seat, owner, slot, serial, number, viewerKey: look.key, key, box});
  return null;
}

function requireSound(key) {
  if (!isSound(key)) {
    throw new Broken('weak-key');
  }
}

/** No message: the claim came with the entry before it. */
function* claimScript(table, ask) {
  const {seat, rule, slots, faces} = ask;
  table.ledger.add({seat, rule, slots, faces, exactly: false, number: table.number, sameAs: []});
  return null;
}

/** A share of each present seat.  If one leaves, the toss is void: else the last one could choose by leaving. */
export function* rollScript(table, ask) {
  const {rulebook, id} = table.genesis;
  if (!(ask.sides > 0 && ask.sides <= MOST_SIDES) || table.rolls >= rulebook.mostRolls) {
    throw new RangeError('the rules roll more, or with more sides, than they may');
  }
  let shares = null;
  while (shares === null) {
    table.tosses += 1;
    if (table.tosses > table.tossed.length) {
      table.tossed.push(yield* sharesOf(table));
    }
    shares = table.tossed[table.tosses - 1];
  }
  table.rolls += 1;
  return tossed(id, table.tosses - 1, shares, ask.sides);
}

/** The shares of all present seats, by seat; null if one leaves meanwhile.  Who begins rotates: the last one sees the
 * result first. */
function* sharesOf(table) {
  const {links, gone} = table;
  const first = (table.tosses - 1) % links.length;
  const seats = links.map((_, place) => (first + place) % links.length).filter((seat) => !gone.has(seat));
  for (const seat of seats) {
    const share = yield* unlessLeft({seat, kind: 'Share', decision: false});
    if (share === null) {
      return null;
    }
    if (!equalBytes(linkBefore(seat, share.link), links[seat])) {
      throw new Broken('wrong-link');
    }
    links[seat] = share.link;
  }
  return seats.sort((left, right) => left - right).map((seat) => links[seat]);
}

/** Commits one after the other, as they hide anyway; of choices all are hidden, then all shown. */
export function* togetherScript(table, {asks}, commit = commitScript) {
  const digests = new Map();
  for (const ask of asks) {
    if (table.gone.has(ask.seat)) {
      table.leaveOut(ask.slots ?? []);
    } else if (ask.kind === 'Commit') {
      yield* commit(table, ask);
    } else {
      const hidden = yield* unlessLeft({seat: ask.seat, kind: 'HiddenChoice', decision: true});
      if (hidden !== null) {
        table.once([hidden.digest]);
        digests.set(ask.seat, hidden.digest);
      }
    }
  }
  const moves = [];
  for (const ask of asks) {
    const digest = digests.get(ask.seat);
    const shown = digest === undefined
      ? null : yield* unlessLeft({seat: ask.seat, kind: 'ShownChoice', decision: false});
    if (shown !== null) {
      if (!equalBytes(hideChoice(table.genesis.id, ask.seat, table.serial, shown.move, shown.salt), digest)) {
        throw new Broken('wrong-opening');
      }
      if (!ask.options.has(shown.move)) {
        throw new Broken('illegal-choice');
      }
    }
    moves.push(shown?.move ?? null);
  }
  return moves;
}

/** By kind of Ask. */
export const HASH_SCRIPTS = new Map([
  ['Choose', chooseScript],
  ['Commit', commitScript],
  ['Open', openScript],
  ['OpenTo', openToScript],
  ['Mix', mixScript],
  ['Claim', claimScript],
  ['Roll', rollScript],
  ['Together', togetherScript],
]);
