// The standing of a match by its admitted records: who is to move, who is gone, how it ended (SPEC 10).  All of it is
// public, and the same for all who hold the same records.

import {Absences} from './absences.mjs';
import {Endings} from './endings.mjs';
import {playScript} from './play.mjs';
import {faultOutcome, sideOf} from './sides.mjs';
import {accusersOf, areSilent, deciderOf, isMany} from './silence.mjs';
import {isOfTime} from './statements.mjs';
import {PublicTable} from './table.mjs';

const UNRESPONSIVE = {winners: [], reason: 'unresponsive', breach: null};

/** A match as far as its admitted records tell; a Referee admits them. */
export class Standing {
  /** @param {import('./genesis.mjs').Genesis} genesis @param {{states?: boolean, agreed?: boolean}} [wanted] `states`:
   *   whether to keep those of the game; `agreed`: whether to take all consents as given, as in a proof;
   *   `proofs`: whether to check those about cards. */
  constructor(genesis, {states = true, agreed = false, proofs = true} = {}) {
    this.genesis = genesis;
    this.seats = genesis.players.map((_, seat) => seat);
    /** Whether the match goes on when a seat leaves. */
    this.many = this.seats.length > 2;
    this.keepsStates = states;
    this.takesConsents = agreed;
    this.checksProofs = proofs;
    /** The fault that entries showed before a Gone made this copy forget them, or null. */
    this.undone = null;
    this.begin();
  }

  /** The match before its first record. */
  begin() {
    const {genesis, seats} = this;
    this.table = new PublicTable(genesis, this.keepsStates);
    this.table.checksProofs = this.checksProofs;
    /** All admitted records, as frames. */
    this.record = [];
    this.entries = [];
    /** heads[n]: the head after n entries. */
    this.heads = [genesis.id];
    /** By seat, its statements, and the heads after so many of them. */
    this.statements = seats.map(() => []);
    this.statementHeads = seats.map(() => [genesis.id]);
    /** By seat, the numbers of its entries, and of those that were decisions. */
    this.signedAt = seats.map(() => []);
    this.decidedAt = seats.map(() => []);
    this.endings = new Endings(this.decidedAt);
    this.agreed = this.takesConsents;
    this.endedByRules = null;
    /** The claim that an opening proved false, which ended play; or null. */
    this.falseClaim = null;
    /** Among three or more: the place at which a draw was agreed, or null. */
    this.drawn = null;
    /** The place that a Gone is about to take, so that no RESIGN is folded there; −1: none. */
    this.reserved = -1;
    this.script = playScript(this.table);
    /** The obligation outstanding, `{seat, kind, decision}`; null when the rules have ended the game. */
    this.owed = null;
    /** owing[n]: who owed an entry after n of them, or null. */
    this.owing = [];
    this.absences = new Absences(this);
    this.advance(() => this.script.next());
  }

  /** Takes a step of the script.  A claim that it proves false ends play, as a breach does. */
  advance(step) {
    const {done, value} = step();
    this.owed = done ? null : value;
    if (done) {
      this.endedByRules = value;
    }
    const broken = this.breach === null ? this.table.ledger.newlyBroken(this.table.faces) : null;
    if (broken !== null) {
      this.endedByRules = faultOutcome(this.genesis.sides, broken.seat, broken.rule, null);
      this.owed = null;
      this.falseClaim = broken;
    }
    this.owing.push(this.owed?.seat ?? null);
  }

  /** Entries admitted, folds included. */
  get count() {
    return this.entries.length;
  }

  /** The end of play, with claims perhaps unsettled, or null. */
  get provisional() {
    return this.endedByRules ?? (this.many ? null : this.endings.ended);
  }

  get breach() {
    return this.endedByRules?.breach ?? null;
  }

  /** The seats with claims about slots that are still closed, though play has ended. */
  get #closed() {
    const {ledger, faces} = this.table;
    if (this.provisional === null || this.breach !== null || ledger.claims.length === 0) {
      return [];
    }
    return this.seats.filter((seat) => ledger.due(seat, this.count).some((slot) => !faces.has(slot)));
  }

  /** The seats that owe a REVEAL. */
  get unsettled() {
    return this.#closed.filter((seat) => this.leftAt(seat) === null);
  }

  /** The seats that are gone, so that their claims are never settled: no fault of theirs. */
  get neverSettled() {
    return this.#closed.filter((seat) => this.leftAt(seat) !== null);
  }

  /** The place at which a seat left: by a Gone, a RESIGN, or a draw agreed on before its RESIGN had a place; or null. */
  leftAt(seat) {
    const gone = this.table.gone.get(seat);
    if (gone === undefined && this.drawn !== null && this.endings.resignedUntil(this.drawn).includes(seat)) {
      return this.drawn;
    }
    return gone ?? null;
  }

  /** The seats that owe something: the next entry or, play being over, a REVEAL. */
  get waitedFor() {
    if (this.provisional !== null) {
      return this.unsettled;
    }
    return this.agreed && this.owed !== null ? [this.owed.seat] : [];
  }

  get #waiting() {
    const seen = this.statements.map((own, seat) => {
      const signed = this.signedAt[seat].at(-1) ?? -1;
      return Math.max(own.at(-1)?.count ?? 0, signed + 1);
    });
    const endedByWord = !this.many && this.endedByRules === null && this.endings.ended !== null;
    return {count: this.count, owing: this.waitedFor, seen, endedByWord};
  }

  /** The end of the match, all claims settled; or the end by seats that are away; or null. */
  get outcome() {
    const {provisional, table} = this;
    const {ledger, faces} = table;
    const broken = provisional !== null && this.breach === null ? ledger.broken(faces) : null;
    if (broken !== null) {
      return faultOutcome(this.genesis.sides, broken.seat, broken.rule, provisional, ledger.liars(faces));
    }
    if (provisional !== null && this.unsettled.length === 0) {
      return provisional;
    }
    return this.endings.accuses ? this.#silenceOutcome(provisional) : null; // asked for several times a record
  }

  /** The end by AWAYs over the last head, or null: of two seats left the word of one counts, of more that of all. */
  #silenceOutcome(ended) {
    const present = this.#there;
    if (present.length > 2) {
      if (ended === null) {
        return this.silent.length > 0 ? UNRESPONSIVE : null;
      }
      return this.#withheldOutcome(ended, present);
    }
    const accused = this.endings.saidAway(this.#waiting);
    if (accused === null) {
      return null;
    }
    if (this.many && ended !== null) {
      return this.#without(this.unsettled, ended, 'unresponsive');
    }
    const isAway = (seat) => seat === accused || this.table.gone.has(seat);
    const left = this.genesis.sides.filter((side) => !side.every(isAway));
    return {...UNRESPONSIVE, winners: left.flat().sort((seat, other) => seat - other)};
  }

  /** SPEC 10.13: the end if all others have called those away that withhold a REVEAL; or null. */
  #withheldOutcome(ended, present) {
    const owing = this.unsettled;
    const others = present.filter((seat) => !owing.includes(seat));
    const called = others.every((seat) => owing.every((accused) => this.absences.accused(this.count, seat, accused)));
    if (owing.length === 0 || others.length === 0 || !called) {
      return null;
    }
    return this.#without(owing, ended, others.length === 1 ? 'unresponsive' : 'unrevealed');
  }

  #without(owing, ended, reason) {
    const out = owing.flatMap((seat) => sideOf(this.genesis.sides, seat));
    return {winners: ended.winners.filter((seat) => !out.includes(seat)), reason, breach: null};
  }

  /** The seats that have not gone, with a draw neither: by their words alone a seat counts as silent. */
  get #there() {
    return this.absences.present(this.count).filter((seat) => this.leftAt(seat) === null);
  }

  /** How play ended, as a fault proven later takes it: who is called away for a REVEAL is out of the winners. */
  get ranked() {
    const {outcome, provisional} = this;
    return provisional !== null && outcome?.breach === null ? outcome : provisional;
  }

  /** Of three or more: the seat that owes the entry and the decider, ascending, if all others call both away. */
  get silent() {
    if (!this.many || this.owed === null) {
      return [];
    }
    const {absences, count} = this;
    const place = absences.place(count);
    if (!isMany(place) || accusersOf(place).length === 0) {
      return [];
    }
    const silent = areSilent(place, (seat, other) => absences.accused(count, seat, other));
    return silent ? [place.owner, deciderOf(place)].sort((seat, other) => seat - other) : [];
  }

  /** The two seats that accuse each other of being away; or none. */
  get contested() {
    const two = this.#there.length === 2;
    return two && this.endings.accuses && this.outcome === null ? this.endings.contested(this.#waiting) : [];
  }

  /** The seats that the others took out of the match, since they did not answer. */
  get takenOut() {
    return [...this.table.gone.keys()].filter((seat) => this.endings.resignations[seat] === null);
  }

  /** The seats, ascending, whose clocks ran out by the word of others: that which owes, and those taken out so. */
  get outOfTime() {
    if (!this.endings.accuses) {
      return [];
    }
    const owing = this.provisional === null ? this.owed?.seat ?? null : null;
    const late = this.statements.flat().filter(isOfTime).filter(({count, content: [accused]}) => (
      (count === this.count && accused === owing) || this.table.gone.get(accused) === count));
    const out = [...this.takenOut, owing];
    return [...new Set(late.map(({content}) => content[0]))].filter((seat) => out.includes(seat)).sort((a, b) => a - b);
  }

  /** The breach that the rules found, else the earliest claim proven false, as a fault; or null. */
  get finalFault() {
    const {breach, table, falseClaim} = this;
    if (breach !== null && falseClaim === null) {
      return {seat: breach.seat, what: 'entry', number: this.count - 1, rule: breach.rule};
    }
    const broken = falseClaim ?? table.ledger.broken(table.faces);
    return broken === null ? null : {seat: broken.seat, what: 'entry', number: broken.number, rule: broken.rule};
  }
}
