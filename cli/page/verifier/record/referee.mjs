// The referee: one gate through which every record of a match passes, in file order (SPEC 8 to 10).
//
// It admits a record whole, or throws a refusal: Malformed, Misplaced, Violation, Equivocation.  Behind a refusal
// nothing more is admitted here: it ends the check of a transcript.

import {equalBytes, joinBytes, littleEndian} from '../wire/bytes.mjs';
import {ENTRY, encode, Malformed, STATEMENT} from '../wire/codec.mjs';
import {faultOfComplaint, faultOfShareComplaint} from './complaints.mjs';
import {isSigned} from '../crypto/ed25519.mjs';
import {resignsRightly} from '../decks/keys.mjs';
import {firstFrom, receiptOf} from './endings.mjs';
import {bodyOf, parseEntry, signatureOf} from './entries.mjs';
import {LABEL_ENTRY, LABEL_SIGN_ENTRY, LABEL_SIGN_RECEIPT, LABEL_SIGN_STATEMENT, LABEL_STATEMENT} from '../wire/labels.mjs';
import {parseMessage} from '../wire/messages.mjs';
import {playScript} from './play.mjs';
import {Broken, Equivocation, Misplaced, Violation} from '../refusals.mjs';
import {SeatLeft} from './scripts.mjs';
import {taggedHash} from '../crypto/sha2.mjs';
import {mayAccuse} from './silence.mjs';
import {Standing} from './standing.mjs';
import {checkTalk, isEnd, isOfTime, MOST_STATEMENTS, parseStatement} from './statements.mjs';

/** Statements of a seat that has signed an END must not turn it. */
const TURNS_THE_END = new Set(['RESIGN', 'OFFER_DRAW', 'ACCEPT_DRAW', 'REVEAL']);
const MOST_AWAYS = 64;
const DRAWN = Object.freeze({winners: [], reason: 'agreed-draw', breach: null});

export class Referee extends Standing {
  /**
   * Admits the record in a frame.  `vouched`: its signature is not verified, as another one covers it.
   * @param {{kind: number, payload: Uint8Array}} frame
   */
  admit({kind, payload}, vouched) {
    if (kind === ENTRY) {
      this.admitEntry(payload, vouched);
    } else {
      this.admitStatement(payload, vouched);
    }
  }

  #checkSignature(seat, label, record, vouched) {
    if (seat >= this.seats.length) {
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
    if (entry.release.length > 0 && !this.many) {
      throw new Malformed('An entry holds a release, though of two seats none can ask for one.');
    }
    if (entry.number !== this.count || !equalBytes(entry.previous, this.heads.at(-1))) {
      this.#refuseElsewhere(entry, vouched);
    } else {
      this.#checkSignature(entry.seat, LABEL_SIGN_ENTRY, entry, vouched);
    }
    if (!this.agreed) {
      throw new Misplaced('An entry comes before every seat has agreed to the match.', 'consent');
    }
    this.#append(entry);
  }

  /** Refuses an entry that does not stand at the head (SPEC 8.2.2 to 8.2.14), unless it is a Gone that supersedes. */
  #refuseElsewhere(entry, vouched) {
    const {number, seat} = entry;
    const earlier = this.entries[number];
    if (earlier !== undefined && equalBytes(earlier.body, entry.body)) {
      throw new Misplaced(`Entry ${number} is known already.`);
    }
    this.#checkSignature(seat, LABEL_SIGN_ENTRY, entry, vouched);
    if (earlier?.seat === seat && !earlier.folded) {
      throw new Equivocation(seat, 'entry', number);
    }
    if (earlier === undefined || !equalBytes(entry.previous, this.heads[number])) {
      throw new Misplaced(`Entry ${number} does not follow from the chain as it is known here.`);
    }
    const left = this.table.gone.get(seat);
    if (earlier.seat === seat) {
      throw new Violation(seat, 'entry', number, 'went-on');
    }
    if (left === number) {
      throw new Misplaced(`Entry ${number} comes after its seat was taken out of the match.`);
    }
    const message = parseMessage(entry.message);
    if (message?.kind === 'Gone') {
      this.absences.checkGone(entry, message);
      this.absences.checkSuperseding(entry);
      this.#rewind(number);
      return;
    }
    throw new Violation(seat, 'entry', number, left < number ? 'went-on' : 'out-of-turn');
  }

  /** Forgets entry `number` and all that rests on it: a Gone takes its place (SPEC 8.4). */
  #rewind(number) {
    const cut = new Set();
    const kept = this.record.filter((record) => {
      if (record.kind === ENTRY) {
        return record.number < number;
      }
      if (record.count > number) {
        cut.add(record.seat);
      }
      return !cut.has(record.seat);
    });
    this.undone ??= this.finalFault;
    this.begin();
    this.reserved = number;
    this.table.checksProofs = false; // they were checked before
    for (const frame of kept) {
      try {
        this.admit(frame, true);
      } catch (error) {
        if (!(error instanceof Misplaced)) { // dated back by a seat that knew of what is forgotten now
          throw error;
        }
      }
    }
    this.table.checksProofs = this.checksProofs;
  }

  #append(entry) {
    const {number, seat} = entry;
    const {owed} = this;
    const message = parseMessage(entry.message);
    if (owed?.seat !== seat || this.endings.lastWords[seat] !== null) {
      this.#appendGone(entry, message);
      return;
    }
    this.absences.checkEntry(entry);
    if (message === null) {
      throw new Violation(seat, 'entry', number, 'not-a-message');
    }
    const back = message.kind === 'TakeBack' && this.genesis.takebacks && owed.decision;
    if (message.kind !== owed.kind && !back) {
      throw new Violation(seat, 'entry', number, 'wrong-message');
    }
    this.table.number = number;
    const {moment} = this.table;
    this.#answer(entry, message);
    this.#push({...entry, content: message, folded: false}, ENTRY);
    if (owed.decision && !back) {
      this.decidedAt[seat].push(number);
      if (moment !== null) {
        this.table.note(number, moment);
      }
    }
    this.#appended();
  }

  #answer({number, seat}, message) {
    try {
      if (message.kind === 'TakeBack') {
        this.script = playScript(this.table, this.table.takeBack(message.number, this.entries[message.number]?.seat === seat));
        this.advance(() => this.script.next());
      } else {
        this.advance(() => this.script.next(message));
      }
    } catch (error) {
      throw error instanceof Broken ? new Violation(seat, 'entry', number, error.rule) : error;
    }
  }

  /** Adds an entry to the chain; `kind`: of its frame, or null for a fold, which has none of its own. */
  #push(entry, kind) {
    this.entries.push(entry);
    this.heads.push(taggedHash(LABEL_ENTRY, entry.body));
    if (kind !== null) {
      this.record.push({kind, payload: entry.payload, number: entry.number});
      this.signedAt[entry.seat].push(entry.number);
    }
  }

  #appended() {
    if (this.many) {
      this.absences.appended(this.entries.at(-1));
      this.#foldResigned();
    }
  }

  /** Appends an entry that its seat does not owe: only a Gone can be one (SPEC 8.2.16 to 8.2.21). */
  #appendGone(entry, message) {
    const {number, seat} = entry;
    if (this.owed === null) {
      throw new Violation(seat, 'entry', number, 'after-the-end');
    }
    if (this.owed.seat === seat) {
      throw new Violation(seat, 'entry', number, 'went-on');
    }
    if (message?.kind !== 'Gone') {
      throw new Violation(seat, 'entry', number, this.table.gone.has(seat) ? 'went-on' : 'out-of-turn');
    }
    this.absences.checkEntry(entry);
    this.absences.checkGone(entry, message);
    this.#leave(number, this.owed.seat);
    this.#push({...entry, content: message, folded: false}, ENTRY);
    this.#appended();
  }

  /** Takes `seat`, which owes entry `number`, out of the match. */
  #leave(number, seat) {
    this.table.number = number;
    this.table.leave(seat, number);
    this.advance(() => this.script.throw(new SeatLeft()));
  }

  /** Lets every RESIGN take effect whose seat owes the next entry. */
  #foldResigned() {
    while (this.owed !== null && this.count !== this.reserved && this.endings.resignations[this.owed.seat] !== null) {
      this.#fold(this.endings.resignations[this.owed.seat]);
    }
  }

  /** Puts a RESIGN, or the last acceptance of a draw, into the place of the entry that its seat owes (SPEC 10.7.3). */
  #fold(statement) {
    const {seat, payload} = statement;
    const number = this.count;
    const body = encode([number, seat, this.heads.at(-1), bodyOf(payload)]);
    if (statement.kind === 'RESIGN') {
      if (statement.content.length > 0) {
        this.table.cards.released.set(seat, littleEndian(statement.content[0]));
      }
      this.#leave(number, seat);
    } else {
      this.drawn = number;
      this.owed = null;
      this.endedByRules = DRAWN;
      this.owing.push(null);
    }
    this.#push({number, seat, payload, body, statement, content: {kind: statement.kind}, release: [], folded: true}, null);
    this.absences.appended(this.entries.at(-1));
  }

  /** The frames that put the entries before `stop` into the chain: a folded draw behind the words that it rests on. */
  chain(stop) {
    return this.entries.slice(0, stop).flatMap(({number, payload, folded, statement}) => {
      const beside = statement?.kind === 'ACCEPT_DRAW' ? this.endings.agreedBy(statement, this.absences.present(number)) : [];
      const frames = beside.map((word) => ({kind: STATEMENT, payload: word.payload}));
      return [...frames, {kind: folded ? STATEMENT : ENTRY, payload}];
    });
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
    this.record.push({kind: STATEMENT, payload, seat, count: statement.count});
    this.#note(statement);
  }

  /** Admits a statement of a proof, which holds only what matters of what was said (SPEC 12.8). */
  judgeStatement(payload, isLast, vouched) {
    const statement = parseStatement(payload);
    this.#checkSignature(statement.seat, LABEL_SIGN_STATEMENT, statement, vouched);
    this.#checkPlace(statement);
    this.#checkPresence(statement);
    this.#checkStatement(statement, !isLast);
    this.#note(statement);
  }

  #note(statement) {
    const closes = this.#closes(statement);
    this.endings.add(statement);
    if (this.many) {
      this.absences.add(statement);
      if (closes) {
        this.#fold(statement);
      }
      this.#foldResigned();
    }
  }

  /** Whether a statement closes a draw among three or more, in the place of the entry that its seat owes. */
  #closes({kind, seat, count}) {
    return this.many && kind === 'ACCEPT_DRAW' && this.owing[count] === seat;
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

  /** SPEC 9.6.9: a seat that is gone has nothing more to say but a BACK, which a place before may need. */
  #checkPresence({seat, count, kind}) {
    const left = this.leftAt(seat);
    if (left !== null && kind !== 'BACK' && (count > left || kind === 'REVEAL')) {
      throw new Misplaced('A seat that is gone has nothing more to say.', 'end');
    }
  }

  /** SPEC 9.6.9: whether the statement may follow the earlier ones of its seat. */
  #checkOrder(statement, known) {
    const {kind, seat} = statement;
    this.#checkPresence(statement);
    if (this.many && kind === 'AWAY' && known.filter((earlier) => earlier.kind === 'AWAY').length >= MOST_AWAYS) {
      throw new Misplaced('A seat has called others away too often.', 'end');
    }
    if (TURNS_THE_END.has(kind) && known.some((earlier) => earlier.kind === 'END')) {
      throw new Misplaced('A seat that has signed the END cannot give it another one.', 'end');
    }
    if (kind === 'COMPLAIN' && this.endings.lastWords[seat] !== null) {
      throw new Misplaced('A seat that has declared the match over cannot complain any more.');
    }
    if (kind === 'REVEAL' && this.provisional === null) {
      throw new Misplaced('A REVEAL settles claims of a match that has not ended here.', 'end');
    }
  }

  /** SPEC 9.6.9 (talk, clocks) to 9.6.12; `beside`: in a proof whose last record is another one. */
  #checkStatement(statement, beside = false) {
    const {seat, count, kind, content} = statement;
    checkTalk(statement, this.genesis.rulebook, this.seats.length);
    if (isOfTime(statement) && this.genesis.clock === null) {
      throw new Malformed('A match without a clock has no seat whose clock could run out.');
    }
    const signed = this.signedAt[seat];
    const later = signed.slice(firstFrom(signed, count)).find((number) => this.owing[number] === seat); // no Gone
    if (later !== undefined && this.endings.isLastWord(kind)) {
      throw new Violation(seat, 'entry', later, 'went-on');
    }
    if (this.many) {
      this.absences.checkOver(statement);
    }
    if (later === count && this.#closes(statement)) { // SPEC 10.8.7
      throw new Violation(seat, 'entry', count, 'went-on');
    }
    if (kind === 'COMPLAIN') {
      throw this.#faultOfComplaint(statement);
    }
    const rule = beside && kind === 'END' ? null : this.#brokenRule(statement);
    if (rule !== null) {
      throw new Violation(seat, 'statement', count, rule);
    }
  }

  /** A COMPLAIN is of a look, or of a share of a key. */
  #faultOfComplaint(statement) {
    const faultOf = statement.content.length > 2 ? faultOfShareComplaint : faultOfComplaint;
    return faultOf(this.table, statement, this.signedAt[statement.seat]);
  }

  /** Step 12: the rule that a statement breaks by what its kind asks for, or null. */
  #brokenRule(statement) {
    switch (statement.kind) {
      case 'RESIGN': return resignsRightly(this.table, statement) ? null : 'wrong-key';
      case 'AWAY': return this.#ruleOfAway(statement);
      case 'BACK':
        this.absences.checkBack(statement);
        return null;
      case 'ACCEPT_DRAW': return this.#closes(statement) ? this.#ruleOfClosing(statement) : null;
      case 'REVEAL': return this.#reveal(statement);
      case 'END': return this.#ruleOfEnd(statement);
      default: return null;
    }
  }

  #ruleOfAway(statement) {
    const {seat, count, head, content: [accused]} = statement;
    const receipt = receiptOf(statement);
    if (accused === seat || accused >= this.seats.length
      || (receipt.length > 0 && !this.#isReceipt(accused, count, head, receipt))) {
      return 'false-away';
    }
    const owing = this.owing[count];
    if (owing === accused) {
      if (this.many) {
        this.absences.checkAway(statement);
      }
      return null;
    }
    if (isOfTime(statement)) { // a clock runs for entries alone
      return 'false-away';
    }
    if (owing !== null && this.many) {
      return mayAccuse(this.absences.place(count), seat, accused) ? null : 'false-away';
    }
    const nothingDue = (owing === null && this.breach !== null) || this.table.gone.get(accused) < count
      || this.table.ledger.due(accused, count).length === 0;
    if (nothingDue) {
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

  /** SPEC 10.8: whether the seat that owes the next entry, a decision, may close a draw in its place. */
  #ruleOfClosing({seat, count, content}) {
    const {endings, absences} = this;
    const open = count === this.count && count !== this.reserved && this.owed?.seat === seat && this.owed.decision;
    if (!open || !endings.allOthersAgree(seat, content.join(' '), count, absences.present(count))) {
      throw new Misplaced('A seat that owes an entry accepts a draw that not all others have accepted.', 'end');
    }
    return null;
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

  /** SPEC 10.4: where the chain ends the match and its claims are settled, another END is a lie. */
  #ruleOfEnd({count, content}) {
    const {outcome, unsettled, many} = this;
    if (many && this.owing[count] === null && content[1] === 'unrevealed') {
      return null; // it rested on AWAYs, which a REVEAL may have answered
    }
    if (this.owing[count] === null && unsettled.length === 0 && !this.#restsOnWords(content)) {
      return outcome !== null && isEnd(content, outcome) ? null : 'false-end';
    }
    const ends = many ? [] : this.endings.possible();
    if (outcome !== null && outcome.reason !== 'unresponsive') { // an AWAY is one seat's word, which no END confirms
      ends.push(outcome);
    }
    const open = unsettled.length > 0 && outcome?.reason !== 'unrevealed';
    if (open || !ends.some((ended) => isEnd(content, ended))) {
      throw new Misplaced('An END speaks of an end that is not known here.', 'end');
    }
    return null;
  }

  /** Whether an END beside a folded draw can be true by a RESIGN or a REVEAL that only another copy has. */
  #restsOnWords([, reason]) {
    if (this.drawn === null || (reason !== 'agreed-draw' && reason !== 'cheated')) {
      return false;
    }
    return this.absences.present(this.count).some((seat) => this.table.ledger.due(seat, this.count).length > 0);
  }
}
