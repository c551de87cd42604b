// The public state of Conquest between two acts, and an act under way: the counterpart of state.py and act.py in
// p2p_stratego/conquest/rules.  States are frozen values that share their parts; lists by seat, by zone (`board`) or by
// territory (`taken`, `CONQUEST_DATA.territories`).

import {askToChoose, askToOpen, eachAlone, gameOver} from '../../verifier/record/asks.mjs';
import {winnersWithout} from '../../verifier/record/sides.mjs';
import {CONQUEST_DATA} from '../../game_data.mjs';
import {ActStopped, withAt} from '../acts.mjs';
import {ALL_ZONES} from './map.mjs';

export const CONQUEST_FACES = CONQUEST_DATA.pieces.map((_, face) => face);
const faceNamed = (name) => CONQUEST_DATA.pieces.findIndex((piece) => piece.name === name);
export const FLAG_FACE = faceNamed('flag');
export const SPY_FACE = faceNamed('spy');
export const SCOUT_FACE = faceNamed('scout');
const CURSED_FACE = faceNamed('cursed');
export const FIXED_FACES = [CURSED_FACE, FLAG_FACE];
/** Sets of faces: bit f stands for face f. */
export const ANY_FACE = (1 << CONQUEST_DATA.pieces.length) - 1;
export const FIXED_SET = (1 << FLAG_FACE) | (1 << CURSED_FACE);
export const STEPPING_SET = ANY_FACE & ~FIXED_SET;
/** Where a flag is, if not with the seat that captured it. */
export const ON_BOARD = -1;
export const FLAG_LOST = -2;
export const ARMY_SIZE = CONQUEST_DATA.army.length;

/** A piece that is laid: closed, and as it can be anything. */
export function closedPiece(slot, seat, could = ANY_FACE, mixed = 0) {
  return {slot, seat, face: null, stepped: false, could, seen: 0, mixed, promised: []};
}

/** A piece that is open to all. */
export function openPiece({slot, seat}, face) {
  return {...closedPiece(slot, seat, 1 << face), face};
}

/** A piece after its owner claimed that it shows one of a set of faces. */
export function promisedPiece(piece, rule, faces) {
  return {...piece, could: piece.could & faces, promised: [...piece.promised, [rule, faces]]};
}

/** An event of an act; `zones`, `faces` and `cards` that it concerns; `other`: an enemy. */
export function conquestEvent(kind, seat, {zones = [], faces = [], cards = [], other = null} = {}) {
  return {kind, seat, zones, faces, cards, other};
}

/** The state before the draft. */
export function conquestOpening(seats, options, first) {
  const perSeat = (value) => Array(seats).fill(value);
  return {
    seats, garrison: options.get('garrison') === 'all', charge: options.get('scout') === 'charge',
    rounds: options.get('rounds'), phase: 'draft', seat: first, first, round: 0, turn: 0, picks: 0,
    taken: CONQUEST_DATA.territories.map(() => null), board: ALL_ZONES.map(() => null), bags: perSeat([]), flags: perSeat(ON_BOARD),
    flagSlots: perSeat(null), status: perSeat('in'), territories: CONQUEST_DATA.territories.map(() => null),
    pile: {counts: CONQUEST_DATA.cards.map((card) => card.inAll), traitorLast: true}, nextSlot: seats * ARMY_SIZE,
    due: 0, drawn: [], moves: 0, made: 0, hand: null, mixes: 0, report: [], ended: null,
  };
}

/** By territory: who alone has CONQUEST_DATA.pieces there, or null. */
export function ownersOf(board) {
  return CONQUEST_DATA.territories.map(({zones}) => {
    const there = new Set(zones.flatMap((zone) => board[zone]?.seat ?? []));
    return there.size === 1 ? [...there][0] : null;
  });
}

/** The zones on which CONQUEST_DATA.pieces of a seat stand, ascending. */
export function zonesHeld({board}, seat) {
  return ALL_ZONES.filter((zone) => board[zone]?.seat === seat);
}

/** The zones without a piece, ascending. */
export function freeZones({board}) {
  return ALL_ZONES.filter((zone) => board[zone] === null);
}

/** The CONQUEST_DATA.territories of a seat. */
export function ownedBy(state, seat) {
  return CONQUEST_DATA.territories.flatMap((_, place) => (state.territories[place] === seat ? [place] : []));
}

/** The CONQUEST_DATA.pieces of a seat on the board, in the bag and in the hand; not its flag while captured. */
function livePieces({board, bags, hand}, seat) {
  return [...board, ...bags[seat], hand].filter((piece) => piece?.seat === seat);
}

/** The act of a player, with the changes that it makes to `state`. */
export class ConquestAct {
  constructor(state) {
    this.state = {...state, report: []};
  }

  change(changes) {
    this.state = {...this.state, ...changes};
  }

  tell(...event) {
    this.change({report: [...this.state.report, conquestEvent(...event)]});
  }

  put(zone, piece) {
    this.change({board: withAt(this.state.board, zone, piece)});
  }

  bag(seat, inside) {
    this.change({bags: withAt(this.state.bags, seat, inside)});
  }

  /** The piece on a zone goes to the end of its owner's bag. */
  fall(zone) {
    const piece = this.state.board[zone];
    this.put(zone, null);
    this.bag(piece.seat, [...this.state.bags[piece.seat], piece]);
  }

  /** Ends the game; to be thrown. */
  over(outcome) {
    this.change({phase: 'over', ended: outcome});
    return new ActStopped();
  }

  /** Ends the game because a seat broke a rule; to be thrown. */
  breached(seat, rule) {
    return this.over(gameOver(winnersWithout(eachAlone(this.state.seats), seat), 'cheated', {seat, rule}));
  }

  /** Ends the game, by throwing, if one flag only is left. */
  checkFlags() {
    const {flags} = this.state;
    const left = flags.flatMap((where, seat) => (where === ON_BOARD ? [seat] : []));
    if (left.length === 1) {
      throw this.over(gameOver(left, 'flag'));
    }
  }

  newSlots(count) {
    const first = this.state.nextSlot;
    this.change({nextSlot: first + count});
    return Array.from({length: count}, (_, at) => first + at);
  }

  /** The CONQUEST_DATA.pieces after a Mix: closed, each able to be what any of them could be. */
  laidAnew(mixed, slots) {
    const could = mixed.reduce((sum, piece) => sum | piece.could, 0);
    this.change({mixes: this.state.mixes + 1});
    return slots.map((slot, at) => closedPiece(slot, mixed[at].seat, could, this.state.mixes));
  }

  /** Ends the game, by throwing, if an Opening shows a breach: the first in the order of section 7. */
  #check(piece, face) {
    const {state} = this;
    const captured = face === FLAG_FACE && state.flagSlots[piece.seat] !== null ? 1 : 0;
    const shown = livePieces(state, piece.seat).filter((live) => live.face === face).length + captured;
    if (shown > CONQUEST_DATA.pieces[face].aSide) {
      throw this.breached(piece.seat, CONQUEST_DATA.wrongFacesRule);
    }
    const broken = piece.promised.find(([, faces]) => ((faces >> face) & 1) === 0);
    if (broken !== undefined) {
      throw this.breached(piece.seat, broken[0]);
    }
    if (shown === CONQUEST_DATA.pieces[face].aSide) { // so no closed one can be of this kind
      const less = (other) => (
        other !== null && other.seat === piece.seat && other.face === null ? {...other, could: other.could & ~(1 << face)} : other);
      this.change({board: state.board.map(less), bags: withAt(state.bags, piece.seat, state.bags[piece.seat].map(less))});
    }
  }

  /** The face on a zone, opened if it is closed; null if its owner has left. */
  * shown(zone) {
    const piece = this.state.board[zone];
    if (piece.face !== null) {
      return piece.face;
    }
    const face = yield askToOpen(piece.slot);
    if (face !== null) {
      this.put(zone, openPiece(piece, face));
      this.#check(piece, face);
    }
    return face;
  }

  /** The face of a closed piece in the bag of the player to move. */
  * shownInBag(at) {
    const {seat, bags} = this.state;
    const piece = bags[seat][at];
    const face = yield askToOpen(piece.slot);
    if (face === null) {
      throw new ActStopped();
    }
    this.bag(seat, withAt(bags[seat], at, openPiece(piece, face)));
    this.#check(piece, face);
    return face;
  }

  /** The answer of the player to move; the act ends if it has left. */
  * chosen(options) {
    const answer = yield askToChoose(this.state.seat, options);
    if (answer === null) {
      throw new ActStopped();
    }
    return answer;
  }
}
