// The public table of a match (SPEC 6 and 7; with proofs, spec/proofs.md, P2).

import {toHex} from './bytes.mjs';
import {checkOpening} from './hashes.mjs';
import {Ledger} from './ledger.mjs';
import {Broken} from './refusals.mjs';
import {NO_ELEMENT} from './ristretto.mjs';

const MOST_SLOTS = 2 ** 16;
const MOST_TAKEBACKS = 250;
const WITHIN = 100;

/** What is known of cards under keys, in the profile of proofs. */
class CardsKnown {
  constructor() {
    /** Whether the seats have been asked for their keys. */
    this.asked = false;
    /** By seat: its key; the identity for one that left before it sent any. */
    this.keys = new Map();
    /** The seats whose secret all know, which is 0: they left before they laid anything. */
    this.released = new Set();
    /** The seats that are gone with their secrets: what they laid stays closed for ever. */
    this.lost = new Set();
    this.looks = 0;
    this.mixes = 0;
    this.claims = 0;
    this.proofs = 0;
  }

  /** The counts, which a TakeBack undoes; keys stay as they were sent. */
  counts() {
    const {looks, mixes, claims, proofs} = this;
    return {looks, mixes, claims, proofs};
  }

  /** A seat that left before it had any card has a key that all know. */
  withoutKey(seat) {
    this.keys.set(seat, NO_ELEMENT);
    this.released.add(seat);
  }
}

/** The public facts of a match. */
export class PublicTable {
  /** @param {import('./genesis.mjs').Genesis} genesis @param {boolean} keepsStates */
  constructor(genesis, keepsStates) {
    this.genesis = genesis;
    this.keepsStates = keepsStates;
    /** By slot: `{seat, digest, faces}`, the faces that it may show; with proofs `{seat, card, faces}`. */
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

  /** What `restore` needs to go on from here. */
  kept() {
    const {hidden, faces, dead, neverLaid, looks, ledger, rolls, tosses, mixes, shown} = this;
    return {
      hidden: new Map(hidden), faces: new Map(faces), dead: new Set(dead), neverLaid: new Set(neverLaid),
      looks: new Map(looks), ledger: ledger.kept(), counts: this.cards.counts(), rolls, tosses, mixes, shown: shown.length,
    };
  }

  /** Goes back to a moment; commitments that were seen, links and serials stay used. */
  restore({hidden, faces, dead, neverLaid, looks, ledger, counts, rolls, tosses, mixes, shown}) {
    const before = {hidden: this.hidden, faces: this.faces, looks: this.looks, ledger: this.ledger};
    for (const number of before.looks.keys()) {
      if (!looks.has(number)) {
        this.unseen.set(number, before);
      }
    }
    Object.assign(this, {hidden, faces, dead, neverLaid, looks, ledger, rolls, tosses, mixes});
    Object.assign(this.cards, counts);
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
    slots.forEach((slot, at) => this.put(slot, {seat, digest: digests[at], faces}));
  }

  /** Notes what lies under a new slot. */
  put(slot, hidden) {
    if (this.hidden.has(slot) || !Number.isInteger(slot) || slot < 0 || slot >= MOST_SLOTS) {
      throw new RangeError(`the rules used slot ${slot} twice, or it is none`);
    }
    this.hidden.set(slot, hidden);
    this.neverLaid.delete(slot);
  }

  /** Notes that `seat`, which owes entry `number`, has left; with proofs its cards stay closed, if it has laid any (P7). */
  leave(seat, number) {
    this.gone.set(seat, number);
    this.takeable.clear(); // nobody comes back by what another seat takes back
    if (this.cards.keys.has(seat)) {
      if ([...this.hidden.values()].some((hidden) => hidden.seat === seat)) {
        this.cards.lost.add(seat);
      } else {
        this.cards.withoutKey(seat);
      }
    }
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
