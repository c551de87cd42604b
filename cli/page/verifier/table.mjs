// The public table, and how each Ask is answered (SPEC 6 and 7), for the profile of salted hashes.
//
// A script is a generator: it yields an Owed, `{seat, kind, decision}`, the one message outstanding (`decision`: whether
// a player decides it), and is sent that message.  It throws Broken if the message breaks a rule.  A SeatLeft is thrown
// into it if the seat that owes leaves the match instead.

import {bigEndian, equalBytes, toHex} from './bytes.mjs';
import {encode} from './codec.mjs';
import {LABEL_CHANCE_LINK, LABEL_CHANCE_ROLL, LABEL_COMMITMENT, LABEL_HIDDEN_CHOICE} from './labels.mjs';
import {Ledger} from './ledger.mjs';
import {Broken} from './refusals.mjs';
import {isSound} from './sealed.mjs';
import {taggedHash} from './sha2.mjs';
import {lastSide} from './sides.mjs';

const MOST_SIDES = 2 ** 32;
const SPACE = 1n << 256n;
const MOST_SLOTS = 2 ** 16;
const MOST_TAKEBACKS = 250;
const WITHIN = 100;

/** The seat that owes the next message has left the match, so that message never comes. */
export class SeatLeft extends Error {}

/** The public facts of a match. */
export class PublicTable {
  /** @param {import('./genesis.mjs').Genesis} genesis @param {boolean} keepsStates */
  constructor(genesis, keepsStates) {
    this.genesis = genesis;
    this.keepsStates = keepsStates;
    /** By slot: `{seat, digest, faces}`, the faces that it may show. */
    this.hidden = new Map();
    /** By slot: its face, if it was opened or revealed. */
    this.faces = new Map();
    /** The slots whose faces were laid again under others. */
    this.dead = new Set();
    /** The slots that a seat left without laying, and that no other seat has laid since. */
    this.neverLaid = new Set();
    /** By number of the entry: the openings that were sealed to one seat. */
    this.looks = new Map();
    /** By number of the entry: the looks that were taken back, each with the table as it stood until then. */
    this.unseen = new Map();
    this.digests = new Set();
    this.ledger = new Ledger(!genesis.takebacks);
    /** The last link of each seat's chance chain. */
    this.links = genesis.players.map((player) => player.anchor);
    /** The seats that have left, in the order of leaving, each with the place of the chain where it left. */
    this.gone = new Map();
    /** Asks answered so far; names the one under way. */
    this.serial = 0;
    /** Rolls complete, and rolls begun: one begins again if a seat leaves. */
    this.rolls = 0;
    this.tosses = 0;
    this.mixes = 0;
    /** The number of the entry being admitted; −1 before the first. */
    this.number = -1;
    /** Every state that the rules showed, `{entry, state}`. */
    this.shown = [];
    /** By toss, the shares of the present seats, null if it is void: a Roll that was taken back falls alike again. */
    this.tossed = [];
    this.takenBack = 0;
    /** By number of the entry, ascending: the decisions that can be taken back, each with the moment of its Ask. */
    this.takeable = new Map();
    /** The moment at which the Ask under way was put, if a decision of its answer could be taken back; or null. */
    this.moment = null;
  }

  /** What `restore` needs to go on from here. */
  kept() {
    const {hidden, faces, dead, neverLaid, looks, ledger, rolls, tosses, mixes, shown} = this;
    return {
      hidden: new Map(hidden), faces: new Map(faces), dead: new Set(dead), neverLaid: new Set(neverLaid),
      looks: new Map(looks), ledger: ledger.kept(), rolls, tosses, mixes, shown: shown.length,
    };
  }

  /** Goes back to a moment; commitments that were seen, links and serials stay used. */
  restore({hidden, faces, dead, neverLaid, looks, ledger, rolls, tosses, mixes, shown}) {
    const before = {hidden: this.hidden, faces: this.faces, looks: this.looks, ledger: this.ledger};
    for (const number of before.looks.keys()) {
      if (!looks.has(number)) {
        this.unseen.set(number, before);
      }
    }
    Object.assign(this, {hidden, faces, dead, neverLaid, looks, ledger, rolls, tosses, mixes});
    this.shown.length = shown;
    this.serial += 1;
    this.takenBack += 1;
  }

  /** Takes note of the decision in entry `number`, which answered the Ask put at `moment`. */
  note(number, moment) {
    this.takeable.set(number, moment);
    if (this.takeable.size > WITHIN) {
      this.takeable.delete(Math.min(...this.takeable.keys()));
    }
  }

  /** SPEC 7.10: goes back to before the decision in entry `number`; `own`: whether its seat takes it back. */
  takeBack(number, own) {
    const moment = this.takeable.get(number);
    if (moment === undefined || !own || this.takenBack >= MOST_TAKEBACKS) {
      throw new Broken('false-takeback');
    }
    for (const [at, of] of [...this.takeable]) {
      if (at >= number || of === moment) {
        this.takeable.delete(at);
      }
    }
    this.restore(moment.kept);
    return moment;
  }

  /** What lies under a slot; a slot that was never laid, or is dead, is a bug of the rules. */
  live(slot) {
    if (!this.hidden.has(slot) || this.dead.has(slot)) {
      throw new RangeError(`the rules ask for slot ${slot}, which was not laid or was mixed`);
    }
    return this.hidden.get(slot);
  }

  /** Notes commitments under new slots. */
  lay(seat, slots, digests, faces) {
    this.once(digests);
    slots.forEach((slot, at) => {
      if (this.hidden.has(slot) || !Number.isInteger(slot) || slot < 0 || slot >= MOST_SLOTS) {
        throw new RangeError(`the rules used slot ${slot} twice, or it is none`);
      }
      this.hidden.set(slot, {seat, digest: digests[at], faces});
      this.neverLaid.delete(slot);
    });
  }

  /** A seat has left without laying these slots. */
  leaveOut(slots) {
    slots.forEach((slot) => this.neverLaid.add(slot));
  }

  /** Refuses a commitment that stood in this match before: it may mirror another seat's. */
  once(digests) {
    const names = digests.map(toHex);
    if (new Set(names).size !== names.length || names.some((name) => this.digests.has(name))) {
      throw new Broken('repeated-commitment');
    }
    names.forEach((name) => this.digests.add(name));
  }

  /** Refuses an opening that does not fit the commitment under a slot, or shows a face not allowed there. */
  checkOpening(slot, face, salt) {
    checkOpening(this.genesis.id, this.hidden.get(slot), slot, face, salt);
  }
}

/** Refuses an opening that does not fit `hidden`, the commitment under a slot, or shows a face not allowed there. */
export function checkOpening(game, hidden, slot, face, salt) {
  if (!equalBytes(hideFace(game, hidden.seat, slot, face, salt), hidden.digest)) {
    throw new Broken('wrong-opening');
  }
  if (!hidden.faces.includes(face)) {
    throw new Broken('impossible-face');
  }
}

/** The commitment to a face. @returns {Uint8Array} 32 bytes. */
export function hideFace(game, seat, slot, face, salt) {
  return taggedHash(LABEL_COMMITMENT, encode([game, seat, slot, salt, face]));
}

/** The commitment to a move as an answer to the Ask of this serial. @returns {Uint8Array} 32 bytes. */
export function hideChoice(game, seat, serial, move, salt) {
  return taggedHash(LABEL_HIDDEN_CHOICE, encode([game, seat, serial, salt, move]));
}

/** The link of a chance chain before `link`. @returns {Uint8Array} 32 bytes. */
export function linkBefore(seat, link) {
  return taggedHash(LABEL_CHANCE_LINK, encode([seat, link]));
}

/** The answer to toss `number`: uniform over 0 ≤ answer < sides, by rejection. @returns {number} */
export function tossed(game, number, shares, sides) {
  const range = BigInt(sides);
  const bound = SPACE - (SPACE % range);
  for (let attempt = 0; ; attempt += 1) {
    const value = bigEndian(taggedHash(LABEL_CHANCE_ROLL, encode([game, number, attempt, shares])));
    if (value < bound) {
      return Number(value % range);
    }
  }
}

/**
 * The whole game: the rules ask, the scripts below answer; returns the Outcome.  `moment`: where it goes on instead, as
 * all behind that was taken back.
 * @param {PublicTable} table
 */
export function* playScript(table, moment = null) {
  const {rulebook, options, players, takebacks} = table.genesis;
  let begin = moment?.begin ?? (() => rulebook.setup(options, players.length));
  let told = moment?.told ?? 0;
  let answers = [...(moment?.answers ?? [])];
  for (;;) {
    const rules = begin();
    let step = rules.next();
    for (const answer of answers) {
      step = rules.next(answer);
    }
    while (!step.done) {
      const ask = step.value;
      table.moment = takebacks && asksPlayer(ask) ? {kept: table.kept(), begin, told, answers: [...answers]} : null;
      answers.push(yield* answered(table, ask));
      table.serial += 1;
      step = rules.next(answers.at(-1));
    }
    const state = step.value;
    if (table.keepsStates) {
      table.shown.push({entry: table.number, state});
    }
    const outcome = state.ended ?? deserted(table);
    if (outcome !== null) {
      return outcome;
    }
    if (told < table.gone.size) {
      const seat = [...table.gone.keys()][told];
      begin = () => rulebook.gone(state, seat);
      told += 1;
    } else {
      begin = () => rulebook.turn(state);
    }
    answers = [];
  }
}

/** The end of a match of which one side only is left, or null. */
function deserted(table) {
  const winners = table.gone.size === 0 ? null : lastSide(table.genesis.sides, [...table.gone.keys()]);
  return winners && {winners, reason: 'deserted', breach: null};
}

/** The answer to one Ask: null if a seat that has left would have to give it, or leaves before. */
function* answered(table, ask) {
  const script = SCRIPTS.get(ask.kind);
  if (script === undefined) {
    throw new TypeError(`the rules ask for ${ask.kind}, which is not answered here`);
  }
  if (table.gone.size > 0 && isAbsent(table, ask)) {
    return null;
  }
  try {
    return yield* script(table, ask);
  } catch (error) {
    if (error instanceof SeatLeft) {
      return null;
    }
    throw error;
  }
}

/** Whether an Ask needs a seat that has left, to answer or to see; a Roll and a Together go on without it. */
function isAbsent({gone, hidden, neverLaid}, ask) {
  switch (ask.kind) {
    case 'Roll':
    case 'Together':
      return false;
    case 'Open':
    case 'OpenTo':
      return (ask.kind === 'OpenTo' && gone.has(ask.seat)) || neverLaid.has(ask.slot) || gone.has(hidden.get(ask.slot).seat);
    default:
      break;
  }
  if (gone.has(ask.seat)) {
    (ask.kind === 'Commit' ? ask.slots : ask.new ?? []).forEach((slot) => neverLaid.add(slot));
  }
  return gone.has(ask.seat);
}

/** Whether a player decides an Ask or a part of it. */
function asksPlayer({kind, chosen}) {
  return kind === 'Choose' || kind === 'Commit' || kind === 'Together' || (kind === 'Mix' && chosen);
}

const SCRIPTS = new Map([
  ['Choose', chooseScript],
  ['Commit', commitScript],
  ['Open', openScript],
  ['OpenTo', openToScript],
  ['Mix', mixScript],
  ['Claim', claimScript],
  ['Roll', rollScript],
  ['Together', togetherScript],
]);

function* chooseScript(table, ask) {
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
function* rollScript(table, ask) {
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

/** The message of `owed`, or null if its seat leaves first. */
function* unlessLeft(owed) {
  try {
    return yield owed;
  } catch (error) {
    if (error instanceof SeatLeft) {
      return null;
    }
    throw error;
  }
}

/** Commits one after the other, as they hide anyway; of choices all are hidden, then all shown. */
function* togetherScript(table, {asks}) {
  const digests = new Map();
  for (const ask of asks) {
    if (table.gone.has(ask.seat)) {
      table.leaveOut(ask.slots ?? []);
    } else if (ask.kind === 'Commit') {
      yield* commitScript(table, ask);
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
