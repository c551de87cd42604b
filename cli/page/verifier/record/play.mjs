// The whole game as one script: the rules ask, the scripts of the Asks answer (SPEC 7, 7.9).

import {CARD_SCRIPTS} from './card_scripts.mjs';
import {DECK_SCRIPTS} from '../decks/deck_scripts.mjs';
import {KeyLost, recoverKeys} from '../decks/keys.mjs';
import {HASH_SCRIPTS, SeatLeft} from './scripts.mjs';
import {lastSide, winnersWithout} from './sides.mjs';

const PROOF_SCRIPTS = new Map([...CARD_SCRIPTS, ...DECK_SCRIPTS]);
const PASSED_ON = new Set(['NewDeck', 'Shuffle', 'Draw', 'Lay', 'Show', 'Give', 'Back']);

/**
 * The whole game: the rules ask, the scripts below answer; returns the Outcome.  `moment`: where it goes on instead, as
 * all behind that was taken back.
 * @param {PublicTable} table
 */
export function* playScript(table, moment = null) {
  const {rulebook, options, players, takebacks} = table.genesis;
  let begin = moment?.begin ?? (() => rulebook.setup(options, players.length));
  let informed = moment?.informed ?? 0;
  let answers = moment === null ? [] : moment.answers.slice(0, moment.answered);
  for (;;) {
    const rules = begin();
    let step = rules.next();
    for (const answer of answers) {
      step = rules.next(answer);
    }
    while (!step.done) {
      const ask = step.value;
      table.moment = takebacks && asksPlayer(ask) ? {sizes: table.sizes(), begin, informed, answers, answered: answers.length} : null;
      try {
        answers.push(yield* answered(table, ask));
      } catch (error) {
        if (error instanceof KeyLost) {
          return withoutKey(table, error.seat);
        }
        throw error;
      }
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
    if (informed < table.gone.size) {
      const seat = [...table.gone.keys()][informed];
      begin = () => rulebook.gone(state, seat);
      informed += 1;
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

/** The end of a match without the key of a seat: of more than two sides nobody wins (P7.3). */
function withoutKey(table, seat) {
  return deserted(table) ?? {winners: winnersWithout(table.genesis.sides, seat), reason: 'unresponsive', breach: null};
}

/** What a script returns; if a seat leaves meanwhile, the others recover its key first. */
function* keyed(table, script) {
  let step = script.next();
  while (!step.done) {
    let message = null;
    try {
      message = yield step.value;
    } catch (error) {
      if (!(error instanceof SeatLeft)) {
        throw error;
      }
      yield* recoverKeys(table);
      step = script.throw(error);
      continue;
    }
    step = script.next(message);
  }
  return step.value;
}

/** The answer to one Ask: null if a seat that has left would have to give it, or leaves before. */
function* answered(table, ask) {
  const {proofs} = table.genesis;
  const script = (proofs ? PROOF_SCRIPTS : HASH_SCRIPTS).get(ask.kind);
  if (script === undefined) {
    throw new TypeError(`the rules ask for ${ask.kind}, which is not answered here`);
  }
  if (table.gone.size > 0 && isAbsent(table, ask)) {
    return null;
  }
  try {
    return yield* (proofs ? keyed(table, script(table, ask)) : script(table, ask));
  } catch (error) {
    if (error instanceof SeatLeft) {
      return null;
    }
    throw error;
  }
}

/** Whether an Ask needs a seat that has left, to answer or to see; a Roll and a Together go on without it. */
function isAbsent(table, ask) {
  const {genesis, gone, hidden} = table;
  if (PASSED_ON.has(ask.kind)) {
    return false;
  }
  switch (ask.kind) {
    case 'Roll':
    case 'Together':
      return false;
    case 'Mix':
    case 'Open':
    case 'OpenTo':
      if (genesis.proofs) { // the scripts themselves act for a seat that is gone
        return ask.kind === 'OpenTo' && gone.has(ask.seat);
      }
      if (ask.kind === 'Mix') {
        break;
      }
      return (ask.kind === 'OpenTo' && gone.has(ask.seat)) || table.lacks(ask.slot) || gone.has(hidden.get(ask.slot).seat);
    default:
      break;
  }
  if (gone.has(ask.seat)) {
    table.leaveOut(ask.kind === 'Commit' ? ask.slots : ask.new ?? []);
  }
  return gone.has(ask.seat);
}

/** Whether a player decides an Ask or a part of it. */
function asksPlayer({kind, chosen}) {
  return kind === 'Choose' || kind === 'Commit' || kind === 'Together' || (kind === 'Mix' && chosen);
}
