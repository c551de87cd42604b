// Plays scripts of games again with the rules in JavaScript, and tells the first difference.
//
// Standard input: a script a line, as tests/helpers/in_javascript/script.py writes them.  Standard output: the number
// of games, asks and states that agreed.  Exit code 1, and a sentence on standard error, after a difference.

import {createInterface} from 'node:readline';
import {isDeepStrictEqual} from 'node:util';

import {CONQUEST, observeConquest} from '../../cli/page/rules/conquest/conquest.mjs';
import {SPIES, observeSpies} from '../../cli/page/rules/spies/spies.mjs';
import {SPIES_AND_LIES, observeSpiesAndLies} from '../../cli/page/rules/spies_and_lies/spies_and_lies.mjs';
import {STRATEGO, observeStratego} from '../../cli/page/rules/stratego/stratego.mjs';
import {NO_MEMORY} from '../../cli/page/rules/stratego/repetition.mjs';

const GAMES = new Map([
  [CONQUEST.name, {rules: CONQUEST, observe: observeConquest, written: (state) => state}],
  [SPIES.name, {rules: SPIES, observe: observeSpies, written: (state) => state}],
  [SPIES_AND_LIES.name, {rules: SPIES_AND_LIES, observe: observeSpiesAndLies, written: (state) => state}],
  [STRATEGO.name, {rules: STRATEGO, observe: observeStratego, written: writtenStratego}],
]);

function writtenStratego(state) {
  const {trails, threats, history} = state.memory;
  return {...state, memory: {trails, threats, boards: history.list()}};
}

/** The same in plain objects, sorted where the order of Python's means nothing. */
function writtenAsk(ask, wanted) {
  if (ask.kind === 'Together') {
    return {...ask, asks: ask.asks.map((part, place) => writtenAsk(part, wanted.asks?.[place]))};
  }
  const written = {...ask};
  if (ask.faces && ask.kind !== 'NewDeck') {
    written.faces = [...ask.faces].sort((face, other) => face - other);
  }
  if (ask.options) {
    written.options = wanted?.options === null ? null : [...ask.options].sort();
  }
  return written;
}

function expectEqual(actual, wanted, what) {
  if (!isDeepStrictEqual(actual, wanted)) {
    throw new Error(`${what}\n  JavaScript: ${JSON.stringify(actual)}\n  Python:     ${JSON.stringify(wanted)}`);
  }
}

function compareTries(ask, tries, counts) {
  const parts = ask.kind === 'Together' ? ask.asks : [ask];
  tries.forEach((words, place) => {
    for (const [word, offered] of words) {
      expectEqual(parts[place].options.has(word), offered, `whether ${JSON.stringify(word)} is offered`);
      counts.tries += 1;
    }
  });
}

function compareOptions(script, counts) {
  const chosen = GAMES.get(script.game).rules.options(new Map(script.wanted));
  expectEqual(chosen && [...chosen], script.chosen, `the options ${JSON.stringify(script.wanted)}`);
  counts.options += 1;
}

/** The game of a script. */
function* played(rules, script, show) {
  let state = script.start && readStratego(script.start);
  let count = 1;
  if (state === undefined) {
    const options = rules.options(new Map(script.options));
    expectEqual([...options], script.options, 'the options');
    state = yield* rules.setup(options, script.seats);
    show(state);
  }
  while (state.ended === null) {
    const gone = script.left?.findIndex(([states]) => states === count) ?? -1;
    state = yield* (gone < 0 ? rules.turn(state) : rules.gone(state, script.left[gone][1]));
    count += 1;
    show(state);
  }
  return state.ended;
}

/** A state in which nothing was moved yet. */
function readStratego(state) {
  return Object.freeze({...state, memory: NO_MEMORY});
}

/** Plays one script; throws an Error at the first difference. */
function compareGame(script, counts) {
  const {rules, observe, written} = GAMES.get(script.game);
  const states = [];
  const game = played(rules, script, (state) => states.push(state));
  let step = game.next();
  script.events.forEach((event, number) => {
    const where = `event ${number}: `;
    if ('ask' in event) {
      expectEqual(states, [], `${where}a state too many`);
      expectEqual(step.done, false, `${where}over before Python's`);
      expectEqual(writtenAsk(step.value, event.ask), event.ask, `${where}the ask`);
      compareTries(step.value, event.tries, counts);
      counts.asks += 1;
      step = 'answer' in event ? game.next(event.answer) : step;
    } else if ('state' in event) {
      expectEqual(states.length > 0, true, `${where}no state yet`);
      compareGame.last = states.shift();
      expectEqual(written(compareGame.last), event.state, `${where}the state`);
      counts.states += 1;
    } else {
      const seen = observe(compareGame.last, event.viewer, event.faces);
      expectEqual(JSON.parse(JSON.stringify(seen)), event.observed, `${where}what ${event.viewer} may see`);
      counts.observations += 1;
    }
  });
  expectEqual(states, [], 'a state too many at the end');
  expectEqual(step.done, script.outcome !== null, 'whether it is over');
  expectEqual(step.done ? step.value : null, script.outcome, 'the outcome');
}

const counts = {games: 0, options: 0, asks: 0, tries: 0, states: 0, observations: 0};
for await (const line of createInterface({input: process.stdin, crlfDelay: Infinity})) {
  const script = JSON.parse(line);
  try {
    if ('wanted' in script) {
      compareOptions(script, counts);
      continue;
    }
    compareGame(script, counts);
  } catch (error) {
    console.error(`${script.game}, ${script.label}: ${error.stack}`);
    process.exit(1);
  }
  counts.games += 1;
}
console.log(JSON.stringify(counts));
