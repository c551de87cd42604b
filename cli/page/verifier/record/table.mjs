// The public table of a match (SPEC 6 and 7; with proofs, spec/proofs.md, P2).

import {toHex} from '../wire/bytes.mjs';
import {CardsKnown} from '../decks/cards.mjs';
import {checkOpening} from '../crypto/hashes.mjs';
import {Ledger} from './ledger.mjs';
import {Broken} from '../refusals.mjs';

const MOST_SLOTS = 2 ** 16;
const MOST_TAKEBACKS = 250;
const WITHIN = 100;

/** The public facts of a match. */
export class PublicTable {
  /** @param {import('./genesis.mjs').Genesis} genesis @param {boolean} keepsStates */
  constructor(genesis, keepsStates) {
    this.genesis = genesis;
    this.keepsStates = keepsStates;
    /** By slot: `{seat, digest, faces}`, the faces that it may show; with proofs `{seat, card, faces}`, seat null if
     * nobody holds it. */
    this.hidden = new Map();
    /** Each slot that changed its holder, with what lay there before. */
    this.held = [];
    /** By slot: its face, if it was opened or revealed. */
    this.faces = new Map();
    /** The slots whose faces were laid again under others. */
    this.dead = new Set();
    /** The slots that a seat left without laying; another seat may have laid one since. */
    this.neverLaid = new Set();
    /** By number of the entry: the openings that were sealed to one seat. */
    this.looks = new Map();
    /** By number of the entry: the looks that were taken back, each with the table as it stood until then. */
    this.unseen = new Map();
    this.cards = new CardsKnown();
    /** Whether proofs about cards are checked; the quick way leaves them to the seats (P9). */
    this.checksProofs = true;
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

  /** What `restore` needs to go on from here: sizes of what only grows, so that it costs the same in a long match. */
  sizes() {
    const {hidden, held, faces, dead, neverLaid, looks, ledger, rolls, tosses, mixes, shown} = this;
    return {
      hidden: hidden.size, held: held.length, faces: faces.size, dead: dead.size, neverLaid: neverLaid.size,
      looks: looks.size, claims: ledger.claims.length, opened: ledger.openedAt.size, cards: this.cards.undoable(), rolls,
      tosses, mixes, shown: shown.length,
    };
  }

  /** Goes back to a moment; commitments that were seen, links and serials stay used. */
  restore({hidden, held, faces, dead, neverLaid, looks, claims, opened, cards, rolls, tosses, mixes, shown}) {
    const before = {hidden: this.hidden, faces: this.faces, looks: this.looks, ledger: this.ledger};
    const first = (grown, size) => [...grown].slice(0, size);
    this.hidden = new Map(first(this.hidden, hidden));
    this.held.splice(held).reverse().filter(([slot]) => this.hidden.has(slot)).forEach(([slot, was]) => this.hidden.set(slot, was));
    this.faces = new Map(first(this.faces, faces));
    this.dead = new Set(first(this.dead, dead));
    this.neverLaid = new Set(first(this.neverLaid, neverLaid));
    this.looks = new Map(first(this.looks, looks));
    this.ledger = this.ledger.first(claims, opened);
    for (const number of before.looks.keys()) {
      if (!this.looks.has(number)) {
        this.unseen.set(number, before);
      }
    }
    Object.assign(this, {rolls, tosses, mixes});
    Object.assign(this.cards, {...cards, decks: new Map(cards.decks)});
    this.shown.length = shown;
    this.serial += 1;
    this.takenBack += 1;
  }

  /** Takes note of the decision in entry `number`, which answered the Ask put at `moment`. */
  note(number, moment) {
    this.takeable.set(number, moment);
    if (this.takeable.size > WITHIN) {
      this.takeable.delete(this.takeable.keys().next().value);
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
    this.restore(moment.sizes);
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
    slots.forEach((slot, at) => this.put(slot, {seat, digest: digests[at], faces}));
  }

  /** Notes what lies under a new slot. */
  put(slot, hidden) {
    if (this.hidden.has(slot) || !Number.isInteger(slot) || slot < 0 || slot >= MOST_SLOTS) {
      throw new RangeError(`the rules used slot ${slot} twice, or it is none`);
    }
    this.hidden.set(slot, hidden);
  }

  /** Another seat holds a slot from now on. */
  hold(slot, hidden) {
    this.held.push([slot, this.hidden.get(slot)]);
    this.hidden.set(slot, hidden);
  }

  /** Notes that `seat`, which owes entry `number`, has left. */
  leave(seat, number) {
    this.gone.set(seat, number);
    this.takeable.clear(); // nobody comes back by what another seat takes back
  }

  /** A seat has left without laying these slots. */
  leaveOut(slots) {
    slots.forEach((slot) => this.neverLaid.add(slot));
  }

  /** Whether a seat has left without laying a slot, and no other has laid it since. */
  lacks(slot) {
    return this.neverLaid.has(slot) && !this.hidden.has(slot);
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
