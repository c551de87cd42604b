// The check of a transcript (SPEC 12.1 to 12.4): the verdict that its bytes prove, by themselves.
//
// Everything in a transcript may come from a cheat or from a stranger.  `verify` never throws, and what it returns
// holds texts of the file (names, moves, chat) as they stand there: the page shows them as text, never as markup.

import {joinBytes, toHex} from './verifier/wire/bytes.mjs';
import {Malformed, PROOF} from './verifier/wire/codec.mjs';
import {isSigned} from './verifier/crypto/ed25519.mjs';
import {bodyOf, signatureOf} from './verifier/record/entries.mjs';
import {faultInProof} from './verifier/record/evidence.mjs';
import {fingerprint, parseGenesis, Unsupported} from './verifier/record/genesis.mjs';
import {LABEL_SIGN_STATEMENT} from './verifier/wire/labels.mjs';
import {Referee} from './verifier/record/referee.mjs';
import {Equivocation, Misplaced, Violation} from './verifier/refusals.mjs';
import {rosterOf} from './verifier/record/roster.mjs';
import {RULEBOOKS} from './rulebooks.mjs';
import {faultOutcome} from './verifier/record/sides.mjs';
import {isEnd} from './verifier/record/statements.mjs';
import {NotATranscript, Records} from './verifier/wire/transcript.mjs';

/** The exit code of the command line for each status. */
const CODES = new Map([
  ['complete', 0],
  ['incomplete', 10],
  ['cheated', 20],
  ['equivocated', 21],
  ['unresponsive', 31],
  ['tampered', 40],
  ['unsupported', 50],
  ['unreadable', 65],
  ['failed', 70],
]);

/**
 * What a check found.
 *
 * `status`: of a transcript that can be read, the verdict of SPEC 12.1 or 12.3; `unreadable`: none, or a damaged genesis;
 * `unsupported`: of another version or game; `failed`: this program has an error, `problem` says which.  `culprit`, `place` (`{what, number}`) and `rule`: of a fault.
 * `at`: the record that is wrong with nobody to blame, from 0 behind the genesis.  `owed`: `{seat, message}`.
 * `shown`: the states of the game, each with the number of its entry (−1: before the first).
 * @typedef {object} Result
 * @property {string} status
 * @property {number} code
 * @property {?number} culprit
 * @property {?{what: string, number: number}} place
 * @property {?string} rule
 * @property {?number[]} winners
 * @property {?string} reason
 * @property {?{winners: number[], reason: string}} outcome
 * @property {?{seat: number, message: string}} owed
 * @property {number[]} unsettled Seats that owe a REVEAL.
 * @property {number[]} contested Seats that accuse each other of being away.
 * @property {number[]} outOfTime Seats whose clock has run out, as others say.
 * @property {number[]} silent Of three or more: the two without whom an unresponsive match cannot go on.
 * @property {number[]} neverSettled Seats that are gone, whose claims stay unproven.
 * @property {?string} problem
 * @property {?number} at
 * @property {number} size Bytes up to the end of the last whole record.
 * @property {boolean} torn Whether an incomplete last record was passed over.
 * @property {?object} genesis `{id, game, options, pace, clock, players: [{name, key, fingerprint}]}`
 * @property {object} counts
 * @property {{name: string, state: string, detail: string}[]} checks
 * @property {{number: number, seat: number, message: string, head: string}[]} entries
 * @property {{entry: number, state: object}[]} shown
 * @property {Object<number, number>} faces By slot, of all that is open at the end of the record.
 */

const NOTHING = Object.freeze({
  culprit: null, place: null, rule: null, winners: null, reason: null, outcome: null, owed: null, unsettled: [],
  contested: [], outOfTime: [], silent: [], neverSettled: [], problem: null, at: null, size: 0, torn: false, genesis: null, counts: {},
  checks: [], entries: [], shown: [], faces: {},
});

/**
 * Checks a transcript; it never throws.  `everySignature`: verify each of them, though the last words of all seats may
 * cover all (SPEC 12.4).  `states: false`: keep none of the game, of which a long file has 100,000.
 * @param {Uint8Array} bytes @param {{everySignature?: boolean, states?: boolean, games?: Map}} [wanted]
 * @returns {Result}
 */
export function verify(bytes, wanted = {}) {
  const check = verifying(bytes, wanted);
  let step = check.next();
  while (!step.done) {
    step = check.next();
  }
  return step.value;
}

/**
 * The same in slices: a generator that yields `{done, total, name}` behind each record, in bytes, and returns the
 * Result.
 */
export function* verifying(bytes, wanted = {}) {
  try {
    return {...NOTHING, ...yield* checked(bytes, wanted)};
  } catch (error) {
    return {...NOTHING, ...unread(error)};
  }
}

/** The result if no match could be read. */
function unread(error) {
  const kinds = [
    [NotATranscript, 'unreadable'], [Malformed, 'unreadable'], [Unsupported, 'unsupported'],
  ];
  const [, status] = kinds.find(([kind]) => error instanceof kind) ?? [null, 'failed'];
  return {status, code: CODES.get(status), problem: String(error?.message ?? error)};
}

function* checked(bytes, {everySignature = false, states = true, games = RULEBOOKS}) {
  const records = new Records(bytes);
  const genesis = parseGenesis(records.genesis, games);
  const endorsed = everySignature ? null : yield* quickWay(records, new Referee(genesis, {states, proofs: false}));
  const judgement = endorsed ?? (yield* thoroughWay(records, new Referee(genesis, {states})));
  return resultFrom(judgement, records);
}

/** Admits the record in a frame; returns why it is refused, or what fault it shows; or null. */
function refused(referee, frame, vouched) {
  try {
    if (frame.kind === PROOF) {
      return faultInProof(referee, frame.payload);
    }
    const before = referee.undone;
    referee.admit(frame, vouched);
    if (before === null && referee.undone !== null) { // a Gone made this copy forget it
      const {seat, what, number, rule} = referee.undone;
      return new Violation(seat, what, number, rule);
    }
    return null;
  } catch (error) {
    if ([Malformed, Misplaced, Violation, Equivocation].some((kind) => error instanceof kind)) {
      return error;
    }
    if (referee.genesis.proofs && !referee.checksProofs) { // behind a false proof anything may fail (P9)
      return error;
    }
    throw error;
  }
}

function progress(name, frame, records) {
  return {done: frame.end, total: records.bytes.length, name};
}

/**
 * The quick way: every check but the signatures, then those of the last statement of each seat.  Null unless all is in
 * order and an END of every seat stands over the last head.
 */
function* quickWay(records, referee) {
  for (const frame of records.frames()) {
    if (refused(referee, frame, true) !== null) {
      return null;
    }
    yield progress('records', frame, records);
  }
  const {outcome} = referee;
  if (records.damage !== null || outcome === null || referee.finalFault !== null) {
    return null;
  }
  const {id, players} = referee.genesis;
  for (const [seat, known] of referee.statements.entries()) {
    const payload = known.at(-1)?.payload;
    const signed = payload !== undefined
      && isSigned(players[seat].key, LABEL_SIGN_STATEMENT, joinBytes(id, bodyOf(payload)), signatureOf(payload));
    if (!signed || !known.some((statement) => endsWith(referee, statement, outcome))) {
      return null;
    }
  }
  return {referee, endorsed: true, status: 'complete', outcome, fault: null, problem: null, at: null};
}

/** Whether a statement is an END over the last head with this outcome. */
function endsWith(referee, {kind, count, content}, outcome) {
  return kind === 'END' && count === referee.count && isEnd(content, outcome);
}

/** The long way: with every signature, up to the first record that is refused. */
function* thoroughWay(records, referee) {
  let refusal = null;
  let at = 0;
  for (const frame of records.frames()) {
    if (refusal === null) { // behind it, frames are counted only: the result tells how much of the file is whole
      refusal = refused(referee, frame, false);
      at += refusal === null ? 1 : 0;
    }
    yield progress('signatures', frame, records);
  }
  if (refusal === null && records.damage !== null) {
    refusal = new Malformed(records.damage);
  }
  return judged(referee, refusal, at);
}

/** The verdict on a match up to a refused record, if there is one; the earliest fault counts. */
function judged(referee, refusal, at) {
  const judgement = {referee, endorsed: false, outcome: null, fault: null, problem: null, at: null, refusal};
  const earlier = referee.finalFault;
  const fault = earlier ?? refusal?.fault ?? null;
  if (fault !== null) {
    const status = earlier === null && refusal instanceof Equivocation ? 'equivocated' : 'cheated';
    const ended = referee.outcome;
    const outcome = ended?.breach ? ended : faultOutcome(referee.genesis.sides, fault.seat, fault.rule, referee.ranked);
    return {...judgement, status, fault, outcome};
  }
  if (refusal !== null) {
    return {...judgement, status: 'tampered', problem: refusal.message, at};
  }
  const {outcome} = referee;
  if (outcome === null) {
    return {...judgement, status: 'incomplete'};
  }
  return {...judgement, status: outcome.reason === 'unresponsive' ? 'unresponsive' : 'complete', outcome};
}

/** The Result of a judgement. */
function resultFrom(judgement, records) {
  const {referee, status, fault, outcome} = judgement;
  const {genesis, table} = referee;
  const owed = referee.agreed && referee.provisional === null ? referee.owed : null;
  const counts = counted(judgement);
  return {
    status,
    code: CODES.get(status),
    culprit: fault?.seat ?? null,
    place: fault && {what: fault.what, number: fault.number},
    rule: fault?.rule ?? null,
    winners: outcome?.winners ?? null,
    reason: outcome?.reason ?? null,
    outcome: outcome && {winners: outcome.winners, reason: outcome.reason},
    owed: owed && {seat: owed.seat, message: owed.kind},
    unsettled: referee.unsettled,
    contested: referee.contested,
    outOfTime: referee.outOfTime,
    problem: judgement.problem,
    at: judgement.at,
    size: records.size,
    torn: records.torn,
    genesis: introduced(genesis),
    counts,
    silent: referee.silent,
    neverSettled: referee.neverSettled,
    checks: rosterOf({...judgement, counts, seats: referee.seats.length, signers: referee.seats.filter((seat) => referee.leftAt(seat) === null).length, size: records.size, torn: records.torn}),
    entries: referee.entries.map(({number, seat, content}) => (
      {number, seat, message: content.kind, head: toHex(referee.heads[number + 1])}
    )),
    shown: table.shown,
    faces: Object.fromEntries(table.faces),
  };
}

function introduced({id, rulebook, options, players, pace, clock}) {
  return {
    id: toHex(id),
    game: rulebook.name,
    options: [...options],
    pace,
    clock,
    players: players.map(({name, key}) => ({name, key: toHex(key.bytes), fingerprint: fingerprint(key.bytes)})),
  };
}

function counted({referee, endorsed}) {
  const {table, statements, outcome: ended} = referee;
  const all = statements.flat();
  const records = referee.count + all.length;
  const signatures = endorsed ? statements.length : records;
  const signers = all.filter((statement) => ended !== null && endsWith(referee, statement, ended));
  return {
    entries: referee.count,
    statements: all.length,
    signatures,
    endorsed: records - signatures,
    agreed: statements.filter((known) => known.length > 0).length,
    laid: table.hidden.size,
    opened: table.faces.size,
    closed: table.hidden.size - table.faces.size,
    rolls: table.rolls,
    decisions: referee.decidedAt.flat().length,
    takebacks: table.takenBack,
    looks: table.looks.size + table.cards.looks,
    mixes: table.mixes + table.cards.mixes,
    claims: table.ledger.claims.length + table.cards.claims,
    settled: table.ledger.settled(table.faces) + table.cards.claims,
    proofs: table.cards.proofs,
    proven: endorsed ? 0 : table.cards.proofs,
    ends: new Set(signers.map((statement) => statement.seat)).size,
  };
}
