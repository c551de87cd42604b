// One mission turn of Spies & Lies (spec/spies-and-lies.md, sections 2, 3 and 4): a guess, the card that
// it turns up, and what follows.

import {askToChoose, askToOpen, gameOver} from '../../verifier/record/asks.mjs';
import {SPIES_AND_LIES_DATA} from '../../game_data.mjs';
import {hasFlaw, impossibilityOf, isFalselyMarked, isOutOfOrder} from './checks.mjs';
import {MissionLedger} from './ledger.mjs';
import {holderOf, mateOf, matesOf, playerOf, sideOfSeat} from './seating.mjs';
import {cardSlot, guesserNow, missionNow, openRanks, replacedAt, soldierOf} from './state.mjs';

const LAY_TOKEN = 'token';
const CAPTAIN_POINTS = 'captain points';
const MARSHAL_FIVE = 'marshal five';
const TOKEN_MOVES = new Set([LAY_TOKEN, 'no token']);
const MARSHAL_MOVES = new Set(['marshal ten', MARSHAL_FIVE]);
const GUESS_RANKS = new Map(SPIES_AND_LIES_DATA.soldiers.map(({rank}) => [`guess ${rank}`, rank]));
const GUESS_MOVES = new Set(GUESS_RANKS.keys());
const COPY_RANKS = new Map(SPIES_AND_LIES_DATA.soldiers.map(({rank}) => [`captain ${rank}`, rank]));
const IDENTIFIED_RESULTS = new Set(['counted', 'incorrect-order', 'incorrect-intel', 'identified']);

/** Token, guess, opening, and the first line of the table that fits.  Returns the state after the turn. */
export function* playMission(state) {
  const guesser = guesserNow(state);
  const mission = missionNow(state);
  const owner = 1 - guesser;
  const ledger = new MissionLedger(state);
  const {holder, namer, token, guess, rank} = yield* turnUp(state, guesser, mission);
  if (token) {
    ledger.layToken(owner);
  }
  const shown = openRanks(state.cards[owner]);
  const breach = rank === null ? null : impossibilityOf(rank, shown, state.exhausted[owner]);
  const marked = state.marks[owner].includes(mission);
  const result = breach === null ? missionResult(state, {guesser, guess, rank, marked, shown}) : 'impossible';
  if (breach === null) {
    yield* carryOut(state, ledger, {guesser, holder, rank, result, token});
  }
  const {effects, points, agent, tokens} = ledger;
  const {day, turn} = state;
  const report = {
    ...{day, turn: turn + 1, guesser, mission, guess, token, marked, soldier: rank, result},
    ...{effects, points, agent, tokens, guessing: namer, owning: holder},
  };
  const cards = rank === null ? state.cards : withCard(state.cards, owner, mission, {rank, result});
  if (breach !== null) {
    return turnDone(state, ledger, report, cards, lostByCheating(state.seating, holder, breach));
  }
  if (ledger.flag !== null) {
    return yield* settleFlag(state, ledger, report, cards);
  }
  return turnDone(state, ledger, report, cards, lastWord(state, ledger));
}

/** Token, guess and opening, as far as they are due; `rank`: null if the card stays closed, as its holder is gone. */
function* turnUp(state, guesser, mission) {
  const {seating} = state;
  const owner = 1 - guesser;
  const holder = playerOf(seating, owner, mission);
  let namer = playerOf(seating, guesser, mission);
  const closed = {holder, namer, token: false, guess: null, rank: null};
  if (state.closed[owner].includes(mission)) {
    return {...closed, holder: holderOf(seating, owner, mission)};
  }
  let token = false;
  let guess = null;
  if (!state.caught[owner]) {
    if (state.tokens[owner] > 0) {
      const answer = yield askToChoose(holder, TOKEN_MOVES);
      if (answer === null) {
        return closed;
      }
      token = answer === LAY_TOKEN;
    }
    let named = yield askToChoose(namer, GUESS_MOVES);
    const mate = mateOf(seating, namer);
    if (named === null && mate !== null) {
      namer = mate;
      named = yield askToChoose(mate, GUESS_MOVES);
    }
    guess = GUESS_RANKS.get(named) ?? null;
  }
  const rank = yield askToOpen(cardSlot(state.day, owner, mission));
  return {holder, namer, token, guess, rank};
}

/** The answer of `seat`, or of its mate if it has gone just now; null if nobody of the side is left. */
function* answerOf(seating, seat, moves) {
  const answer = yield askToChoose(seat, moves);
  const mate = answer === null ? mateOf(seating, seat) : null;
  return mate === null ? answer : yield askToChoose(mate, moves);
}

/** The first line of the table that fits; `shown`: the owner's open cards of today. */
function missionResult(state, {guesser, guess, rank, marked, shown}) {
  if (rank === null || state.caught[1 - guesser]) {
    return 'counted';
  }
  if (isOutOfOrder(rank, shown)) {
    return 'incorrect-order';
  }
  if (isFalselyMarked(rank, marked, state.intel.at(-1))) {
    return 'incorrect-intel';
  }
  if (rank === guess) {
    return 'identified';
  }
  return state.blast[guesser] || retreatsBefore(state, guesser, rank) ? 'retreated' : 'activated';
}

/** Whether the enemy has in force what this soldier retreats from. */
function retreatsBefore(state, enemy, rank) {
  return state.active[enemy].includes(soldierOf(rank).yieldsTo);
}

/** The effects of a possible card. */
function* carryOut(state, ledger, {guesser, holder, rank, result, token}) {
  const owner = 1 - guesser;
  const identified = IDENTIFIED_RESULTS.has(result);
  if (state.blast[guesser]) {
    ledger.useBlast(guesser, identified);
  }
  if (identified) {
    identify(ledger, guesser, result);
    return;
  }
  if (result === 'activated') {
    yield* activate(state, ledger, owner, holder, rank);
  }
  if (token) {
    ledger.gain(owner, SPIES_AND_LIES_DATA.deception);
  }
}

/** The first four lines of the table: the guesser scores, the soldier does nothing. */
function identify(ledger, guesser, result) {
  const {scout, identification, identificationWithScout} = SPIES_AND_LIES_DATA;
  if (result === 'incorrect-order') {
    ledger.punish(1 - guesser);
  }
  ledger.gain(guesser, ledger.active[guesser].includes(scout) ? identificationWithScout : identification);
}

/** The soldier goes into action; a Captain may stand in for an exhausted one of its side. */
function* activate(state, ledger, owner, holder, rank) {
  let used = rank;
  const tired = state.exhausted[owner];
  if (rank === SPIES_AND_LIES_DATA.captain && tired.length > 0) {
    const moves = [CAPTAIN_POINTS, ...tired.map((other) => `captain ${other}`)];
    const move = yield* answerOf(state.seating, holder, new Set(moves));
    if (move !== null && move !== CAPTAIN_POINTS) {
      used = COPY_RANKS.get(move);
      ledger.note('copied', owner, used);
      if (retreatsBefore(state, 1 - owner, used)) {
        ledger.note('in vain', owner, used);
        return;
      }
    }
  }
  const chooses = used === SPIES_AND_LIES_DATA.marshal;
  if (chooses && (yield* answerOf(state.seating, holder, MARSHAL_MOVES)) === MARSHAL_FIVE) {
    ledger.raid(owner);
  } else {
    ledger.use(owner, soldierOf(used));
  }
}

/** The winner shows its line; a flaw in it, or a card that stays closed, loses the game.  The loser shows nothing. */
function* settleFlag(state, ledger, report, shown) {
  const {seating} = state;
  const winner = ledger.flag;
  let cards = shown;
  for (const mission of SPIES_AND_LIES_DATA.missions) {
    if (cards[winner][mission - 1] === null && !state.closed[winner].includes(mission)) {
      const rank = yield askToOpen(cardSlot(state.day, winner, mission));
      if (rank !== null) { // else its owner has gone just now
        const breach = impossibilityOf(rank, openRanks(cards[winner]), state.exhausted[winner]);
        cards = withCard(cards, winner, mission, {rank, result: breach === null ? 'opened' : 'impossible'});
        if (breach !== null) {
          const culprit = playerOf(seating, winner, mission);
          return turnDone(state, ledger, report, cards, lostByCheating(seating, culprit, breach));
        }
      }
    }
  }
  const flawed = cards[winner].includes(null) || hasFlaw(cards[winner], state.marks[winner], state.intel.at(-1));
  const outcome = flawed ? wonBy(seating, 1 - winner, 'critical-flaw') : wonBy(seating, winner, 'flag');
  return turnDone(state, ledger, report, cards, outcome);
}

function wonBy(seating, side, reason) {
  return gameOver(matesOf(seating, side), reason);
}

function lostByCheating(seating, seat, rule) {
  return gameOver(matesOf(seating, 1 - sideOfSeat(seat)), 'cheated', {seat, rule});
}

/** The Outcome when the last card of day 3 has been played out; null before that. */
function lastWord(state, ledger) {
  const {days, turns} = SPIES_AND_LIES_DATA;
  if (state.day < days || state.turn + 1 < turns) {
    return null;
  }
  const lead = ledger.points[0] - ledger.points[1];
  if (ledger.agent !== 0) {
    return wonBy(state.seating, ledger.agent > 0 ? 0 : 1, 'territory');
  }
  return lead !== 0 ? wonBy(state.seating, lead > 0 ? 0 : 1, 'points') : gameOver([], 'draw');
}

function withCard(cards, owner, mission, card) {
  return replacedAt(cards, owner, replacedAt(cards[owner], mission - 1, card));
}

/** The frozen state after the turn; a turn that an impossible card ended is not counted. */
function turnDone(state, ledger, report, cards, ended) {
  const turn = state.turn + (report.result === 'impossible' ? 0 : 1);
  const onward = turn === SPIES_AND_LIES_DATA.turns ? 'night' : 'mission';
  const phase = ended === null ? onward : 'over';
  return Object.freeze({...state, ...ledger.changes(), turn, phase, cards, report, ended});
}
