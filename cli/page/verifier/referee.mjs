// The referee: one gate through which every record of a match of two passes, in file order (SPEC 8 to 10).
//
// It admits a record whole, or throws a refusal: Malformed, Misplaced, Violation, Equivocation.  Behind a refusal
// nothing more is admitted here: it ends the check of a transcript.

import {equalBytes, joinBytes} from './bytes.mjs';
import {ENTRY, encode, Malformed} from './codec.mjs';
import {isSigned} from './ed25519.mjs';
import {Endings, firstFrom, isLastWord, receiptOf} from './endings.mjs';
import {parseEntry, signatureOf} from './entries.mjs';
import {LABEL_ENTRY, LABEL_SIGN_ENTRY, LABEL_SIGN_RECEIPT, LABEL_SIGN_STATEMENT, LABEL_STATEMENT} from './labels.mjs';
import {DECISIONS, parseMessage} from './messages.mjs';
import {Broken, Equivocation, Misplaced, Violation} from './refusals.mjs';
import {taggedHash} from './sha2.mjs';
import {isEnd, isOfTime, MOST_STATEMENTS, parseStatement} from './statements.mjs';
import {playScript, PublicTable} from './table.mjs';

/** Statements of a seat that has signed an END must not turn it. */
const TURNS_THE_END = new Set(['RESIGN', 'OFFER_DRAW', 'ACCEPT_DRAW', 'REVEAL']);

export class Referee {
  /** @param {import('./genesis.mjs').Genesis} genesis @param {boolean} [states] Whether to keep those of the game. */
  constructor(genesis, states = true) {
    const seats = genesis.players.map((_, seat) => seat);
    this.genesis = genesis;
    this.table = new PublicTable(genesis, states);
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
    this.agreed = false;
    this.endedByRules = null;
    /** The claim that an opening proved false, which ended play; or null. */
    this.falseClaim = null;
    this.script = playScript(this.table);
    /** The obligation outstanding, `{seat, kind}`; null when the rules have ended the game. */
    this.owed = null;
    /** owing[n]: who owed an entry after n of them, or null. */
    this.owing = [];
    this.#advance(this.script.next());
  }

  /** Entries admitted. */
  get count() {
    return this.entries.length;
  }

  /** The end of play, with claims perhaps unsettled, or null. */
  get provisional() {
    return this.endedByRules ?? this.endings.ended;
  }

  get breach() {
    return this.endedByRules?.breach ?? null;
  }

  /** The seats that owe a REVEAL: play has ended, and claims of theirs speak of slots still closed. */
  get unsettled() {
    const {ledger, faces} = this.table;
    if (this.provisional === null || this.breach !== null || ledger.claims.length === 0) {
      return [];
    }
    return [0, 1].filter((seat) => ledger.due(seat, this.count).some((slot) => !faces.has(slot)));
  }

  /** The seats that owe something: the next entry or, play being over, a REVEAL. */
  get waitedFor() {
    if (this.provisional !== null) {
      return this.unsettled;
    }
    return this.agreed && this.owed !== null ? [this.owed.seat] : [];
  }

  get waiting() {
    const seen = this.statements.map((own, seat) => {
      const signed = this.signedAt[seat].at(-1) ?? -1;
      return Math.max(own.at(-1)?.count ?? 0, signed + 1);
    });
    const endedByWord = this.endedByRules === null && this.endings.ended !== null;
    return {count: this.count, owing: this.waitedFor, seen, endedByWord};
  }

  /** The end of the match, all claims settled; or the end by a seat that is away; or null. */
  get outcome() {
    const {provisional, table} = this;
    const broken = provisional !== null && this.breach === null ? table.ledger.broken(table.faces) : null;
    if (broken !== null) {
      return lost(broken.seat, broken.rule);
    }
    if (provisional !== null && this.unsettled.length === 0) {
      return provisional;
    }
    if (this.endings.away.every((claim) => claim === null)) {
      return null; // asked for several times a record
    }
    const accused = this.endings.saidAway(this.waiting);
    return accused === null ? null : {winners: [1 - accused], reason: 'unresponsive', breach: null};
  }

  /** The seats whose clocks ran out, as the other one says. */
  get outOfTime() {
    const owing = this.provisional === null ? this.owed?.seat : undefined;
    return owing !== undefined && this.statements[1 - owing].some(
      (statement) => isOfTime(statement) && statement.count === this.count && statement.content[0] === owing,
    ) ? [owing] : [];
  }

  /** The seats that accuse each other of being away: both, or none. */
  get contested() {
    const accused = this.endings.away.some((claim) => claim !== null);
    return accused && this.outcome === null && this.endings.contested(this.waiting) ? [0, 1] : [];
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

  /**
   * Admits the record in a frame.  `vouched`: its signature is not verified, as another one covers it.
   * @param {{kind: number, payload: Uint8Array}} frame @returns {object} The entry or statement.
   */
  admit({kind, payload}, vouched) {
    return kind === ENTRY ? this.admitEntry(payload, vouched) : this.admitStatement(payload, vouched);
  }

  #advance(step) {
    if (step.done) {
      this.endedByRules = step.value;
      this.owed = null;
    } else {
      this.owed = step.value;
    }
    const broken = this.breach === null ? this.table.ledger.newlyBroken(this.table.faces) : null;
    if (broken !== null) { // it ends play, as a breach does
      this.endedByRules = lost(broken.seat, broken.rule);
      this.owed = null;
      this.falseClaim = broken;
    }
    this.owing.push(this.owed?.seat ?? null);
  }

  #checkSignature(seat, label, record, vouched) {
    if (seat >= this.genesis.players.length) {
      throw new Malformed('There is no such seat in this match.');
    }
    if (vouched) {
      return;
    }
    const {id, players} = this.genesis;
    if (!isSigned(players[seat].key, label, joinBytes(id, record.body), signatureOf(record.payload))) {
      throw new Misplaced('A signature does not verify: anybody could have written this.', 'signatures');
    }
  }

  // Entries

  admitEntry(payload, vouched) {
    const entry = parseEntry(payload);
    if (entry.released) {
      throw new Malformed('An entry holds a release, though of two seats none can ask for one.');
    }
    if (entry.number !== this.count || !equalBytes(entry.previous, this.heads.at(-1))) {
      this.#refuseElsewhere(entry, vouched);
    }
    this.#checkSignature(entry.seat, LABEL_SIGN_ENTRY, entry, vouched);
    if (!this.agreed) {
      throw new Misplaced('An entry comes before every seat has agreed to the match.', 'consent');
    }
    this.#append(entry);
    return entry;
  }

  /** Refuses an entry that does not stand at the head: SPEC 8.2.2 to 8.2.14. */
  #refuseElsewhere(entry, vouched) {
    const {number, seat} = entry;
    const earlier = this.entries[number];
    if (earlier !== undefined && equalBytes(earlier.body, entry.body)) {
      throw new Misplaced(`Entry ${number} is known already.`);
    }
    this.#checkSignature(seat, LABEL_SIGN_ENTRY, entry, vouched);
    if (earlier?.seat === seat) {
      throw new Equivocation(seat, 'entry', number);
    }
    if (earlier !== undefined && equalBytes(entry.previous, this.heads[number])) {
      const isGone = parseMessage(entry.message)?.kind === 'Gone';
      throw new Violation(seat, 'entry', number, isGone ? 'false-gone' : 'out-of-turn');
    }
    throw new Misplaced(`Entry ${number} does not follow from the chain as it is known here.`);
  }

  #append(entry) {
    const {number, seat} = entry;
    const {owed} = this;
    const message = parseMessage(entry.message);
    if (owed?.seat !== seat || this.endings.lastWords[seat] !== null) {
      this.#refuseUnowed(entry, message);
    }
    if (message === null) {
      throw new Violation(seat, 'entry', number, 'not-a-message');
    }
    const back = message.kind === 'TakeBack' && this.genesis.takebacks && DECISIONS.has(owed.kind);
    if (message.kind !== owed.kind && !back) {
      throw new Violation(seat, 'entry', number, 'wrong-message');
    }
    this.table.number = number;
    const {moment} = this.table;
    this.#answer(entry, message);
    entry.content = message;
    this.entries.push(entry);
    this.heads.push(taggedHash(LABEL_ENTRY, entry.body));
    this.signedAt[seat].push(number);
    if (DECISIONS.has(message.kind)) {
      this.decidedAt[seat].push(number);
      if (moment !== null) {
        this.table.note(number, moment);
      }
    }
  }

  #answer({number, seat}, message) {
    try {
      if (message.kind === 'TakeBack') {
        this.table.takeBack(message.number, this.entries[message.number]?.seat === seat);
        this.script = playScript(this.table);
        this.#advance(this.script.next());
      } else {
        this.#advance(this.script.next(message));
      }
    } catch (error) {
      throw error instanceof Broken ? new Violation(seat, 'entry', number, error.rule) : error;
    }
  }

  /** Blames the seat of an entry at the head that it does not owe, or not any more: SPEC 8.2.16 to 8.2.21. */
  #refuseUnowed({number, seat}, message) {
    if (this.owed === null) {
      throw new Violation(seat, 'entry', number, 'after-the-end');
    }
    if (this.owed.seat === seat) {
      throw new Violation(seat, 'entry', number, 'went-on');
    }
    throw new Violation(seat, 'entry', number, message?.kind === 'Gone' ? 'false-gone' : 'out-of-turn');
  }

  // Statements

  admitStatement(payload, vouched) {
    const statement = parseStatement(payload);
    const {seat, index} = statement;
    const known = this.statements[seat];
    const earlier = known?.[index];
    if (earlier !== undefined && equalBytes(earlier.body, statement.body)) {
      throw new Misplaced('This statement is known already.');
    }
    this.#checkSignature(seat, LABEL_SIGN_STATEMENT, statement, vouched);
    if (earlier !== undefined) {
      throw new Equivocation(seat, 'statement', index);
    }
    if (index !== known.length || index >= MOST_STATEMENTS) {
      throw new Misplaced('A statement of this seat is missing before this one, or there are too many.');
    }
    if (!equalBytes(statement.previous, this.statementHeads[seat].at(-1))) {
      throw new Misplaced('A statement follows another one of its seat than the one known here.');
    }
    if (known.length > 0) {
      this.#checkDates(statement, known);
    }
    this.#checkPlace(statement);
    if (known.length > 0) {
      this.#checkOrder(statement, known);
    }
    this.#checkStatement(statement);
    known.push(statement);
    this.statementHeads[seat].push(taggedHash(LABEL_STATEMENT, statement.body));
    this.agreed ||= this.statements.every((own) => own.length > 0);
    this.endings.add(statement);
    return statement;
  }

  /** SPEC 9.6.5 and 9.6.6. */
  #checkDates({kind, count}, known) {
    if (!this.agreed && kind !== 'AGREE') {
      throw new Misplaced('A statement comes before every seat has agreed to the match.', 'consent');
    }
    if (count < known.at(-1).count) {
      throw new Misplaced('A statement is dated back before one that its seat made earlier.');
    }
  }

  /** SPEC 9.6.7 and 9.6.8: over a known head, and a consent first. */
  #checkPlace({seat, index, count, head, kind}) {
    if (count > this.count || !equalBytes(head, this.heads[count])) {
      throw new Misplaced('A statement stands over a head that is not known here.');
    }
    if ((index === 0) !== (kind === 'AGREE')) {
      throw new Violation(seat, 'statement', count, 'no-consent-first');
    }
  }

  /** SPEC 9.6.9: whether the statement may follow the earlier ones of its seat. */
  #checkOrder({kind, seat}, known) {
    if (TURNS_THE_END.has(kind) && known.some((statement) => statement.kind === 'END')) {
      throw new Misplaced('A seat that has signed the END cannot give it another one.', 'end');
    }
    if (kind === 'COMPLAIN' && this.endings.lastWords[seat] !== null) {
      throw new Misplaced('A seat that has declared the match over cannot complain any more.');
    }
    if (kind === 'REVEAL' && this.provisional === null) {
      throw new Misplaced('A REVEAL settles claims of a match that has not ended here.', 'end');
    }
  }

  /** SPEC 9.6.9 (talk, clocks) to 9.6.12. */
  #checkStatement(statement) {
    const {seat, count, kind, content} = statement;
    if ((kind === 'AGREE' && content.length > 0) || kind === 'SEALED') {
      throw new Malformed('In this game all talk is open to all.');
    }
    if (isOfTime(statement) && this.genesis.clock === null) {
      throw new Malformed('A match without a clock has no seat whose clock could run out.');
    }
    const later = this.signedAt[seat][firstFrom(this.signedAt[seat], count)];
    if (later !== undefined && isLastWord(kind)) {
      throw new Violation(seat, 'entry', later, 'went-on');
    }
    const rule = this.#brokenRule(statement);
    if (rule !== null) {
      throw new Violation(seat, 'statement', count, rule);
    }
  }

  /** Step 11: the rule that a statement breaks by what its kind asks for, or null. */
  #brokenRule(statement) {
    switch (statement.kind) {
      case 'RESIGN': return statement.content.length > 0 ? 'wrong-key' : null; // a key is given among more only
      case 'AWAY': return this.#ruleOfAway(statement);
      case 'BACK': return 'false-back'; // there is something to say it about among three or more only
      case 'COMPLAIN': return 'false-complaint'; // nothing is shown to one seat alone in a game checked here
      case 'REVEAL': return this.#reveal(statement);
      case 'END': return this.#ruleOfEnd(statement);
      default: return null;
    }
  }

  #ruleOfAway(statement) {
    const {seat, count, head, content: [accused]} = statement;
    const receipt = receiptOf(statement);
    if (accused !== 1 - seat || (receipt.length > 0 && !this.#isReceipt(accused, count, head, receipt))) {
      return 'false-away';
    }
    const owing = this.owing[count];
    if (owing === accused) {
      return null;
    }
    const nothingDue = (owing === null && this.breach !== null)
      || this.table.ledger.due(accused, count).length === 0;
    if (nothingDue || isOfTime(statement)) { // a clock runs for entries alone
      return 'false-away';
    }
    if (this.provisional === null) {
      throw new Misplaced('A seat is said to owe a REVEAL of a match that has not ended here.', 'end');
    }
    return null;
  }

  #isReceipt(seat, count, head, receipt) {
    const {id, players} = this.genesis;
    return isSigned(players[seat].key, LABEL_SIGN_RECEIPT, joinBytes(id, encode([seat, count, head])), receipt);
  }

  /** Opens one part of what its seat has to reveal over that many entries. */
  #reveal({seat, count, content: [part, openings]}) {
    const slots = this.table.ledger.part(seat, count, part);
    if (openings.length !== slots.length) {
      return 'wrong-count';
    }
    try {
      slots.forEach((slot, at) => this.table.checkOpening(slot, ...openings[at]));
    } catch (error) {
      if (error instanceof Broken) {
        return error.rule;
      }
      throw error;
    }
    slots.forEach((slot, at) => this.table.faces.set(slot, openings[at][0]));
    return null;
  }

  /** Where the chain ends the match and its claims are settled, another END is a lie; elsewhere it may be early. */
  #ruleOfEnd({count, content}) {
    const {outcome, unsettled} = this;
    if (this.owing[count] === null && unsettled.length === 0) {
      return isEnd(content, outcome) ? null : 'false-end';
    }
    const ends = this.endings.possible();
    if (outcome !== null && outcome.reason !== 'unresponsive') {
      ends.push(outcome);
    }
    if (unsettled.length > 0 || !ends.some((ended) => isEnd(content, ended))) {
      throw new Misplaced('An END speaks of an end that is not known here.', 'end');
    }
    return null;
  }
}

/** The outcome if `seat` broke a rule: of two the other one wins. */
export function lost(seat, rule) {
  return {winners: [1 - seat], reason: 'cheated', breach: {seat, rule}};
}
