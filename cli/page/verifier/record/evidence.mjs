// A PROOF (SPEC 11.2 and 12.8): the records that show a fault on another chain than that of a copy.

import {equalBytes, joinBytes} from '../wire/bytes.mjs';
import {decode, ENTRY, Malformed, STATEMENT} from '../wire/codec.mjs';
import {isSigned} from '../crypto/ed25519.mjs';
import {bodyOf, parseEntry, signatureOf} from './entries.mjs';
import {LABEL_SIGN_ENTRY, LABEL_SIGN_STATEMENT} from '../wire/labels.mjs';
import {isHash} from '../wire/messages.mjs';
import {Equivocation, Misplaced, Violation} from '../refusals.mjs';
import {Referee} from './referee.mjs';
import {parseStatement} from './statements.mjs';

/** The records of a PROOF: how many entries it shares, the head behind them, and frames. */
function readProof(payload) {
  const value = decode(payload);
  if (!Array.isArray(value) || value.length !== 3 || typeof value[0] !== 'number' || !isHash(value[1])
    || !Array.isArray(value[2]) || value[2].length === 0) {
    throw new Malformed('A proof is not a count, a head, and records.');
  }
  const [shared, head, records] = value;
  const frames = records.map((item) => {
    if (!Array.isArray(item) || item.length !== 2 || ![ENTRY, STATEMENT].includes(item[0]) || !(item[1] instanceof Uint8Array)) {
      throw new Malformed('A proof holds what is neither an entry nor a statement.');
    }
    return {kind: item[0], payload: item[1]};
  });
  return {shared, head, frames};
}

/** The fault that a PROOF shows to a copy.  Throws Malformed, or Misplaced if it proves none. */
export function faultInProof(referee, payload) {
  const {shared, head, frames} = readProof(payload);
  if (referee.breach !== null) {
    throw new Misplaced('The match ended with a breach; nothing is added to it.', 'end');
  }
  if (shared > referee.count || !equalBytes(referee.heads[shared], head)) {
    throw new Misplaced('A proof shares entries with another chain than the one known here.');
  }
  const known = referee.chain(shared);
  const all = [...known, ...frames];
  return (all.length === 2 ? twoVersions(referee.genesis, all) : null) ?? violationIn(referee.genesis, all, known.length);
}

/** The fault if two records differ and are well signed by one seat for one place; else null. */
function twoVersions({id, players}, [first, second]) {
  if (first.kind !== second.kind || equalBytes(bodyOf(first.payload), bodyOf(second.payload))) {
    return null;
  }
  const isEntry = first.kind === ENTRY;
  const places = [first, second].map(({payload}) => {
    const record = (isEntry ? parseEntry : parseStatement)(payload);
    const label = isEntry ? LABEL_SIGN_ENTRY : LABEL_SIGN_STATEMENT;
    const key = players[record.seat]?.key;
    if (key === undefined || !isSigned(key, label, joinBytes(id, record.body), signatureOf(payload))) {
      throw new Misplaced('A signature in the proof does not verify.', 'signatures');
    }
    return {seat: record.seat, number: isEntry ? record.number : record.index};
  });
  const [place, other] = places;
  const same = place.seat === other.seat && place.number === other.number;
  return same ? new Equivocation(place.seat, isEntry ? 'entry' : 'statement', place.number) : null;
}

/** The fault that the last of these frames shows, all of them played on a table of their own. */
function violationIn(genesis, frames, known) {
  const referee = new Referee(genesis, {states: false, agreed: true});
  for (const [at, {kind, payload}] of frames.entries()) {
    const isLast = at === frames.length - 1;
    referee.table.checksProofs = at >= known;
    try {
      if (kind === ENTRY) {
        referee.admitEntry(payload, at < known);
      } else {
        referee.judgeStatement(payload, isLast, at < known);
      }
    } catch (error) {
      if (error instanceof Violation && isLast) {
        return error;
      }
      if ([Malformed, Misplaced, Violation, Equivocation].some((refusal) => error instanceof refusal)) {
        throw new Misplaced('The records of the proof show no fault of their last one.');
      }
      throw error;
    }
    if (!isLast && referee.breach !== null) {
      throw new Misplaced('The proof goes on after the record that breaks a rule.');
    }
  }
  if (referee.finalFault === null) {
    throw new Misplaced('The last record of the proof breaks no rule.');
  }
  const {seat, what, number, rule} = referee.finalFault;
  return new Violation(seat, what, number, rule);
}
