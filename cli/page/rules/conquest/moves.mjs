// Moves and CONQUEST_DATA.fights of Conquest (spec/conquest.md, section 4).

import {askToClaim} from '../../verifier/record/asks.mjs';
import {CONQUEST_DATA} from '../../game_data.mjs';
import {ActStopped} from '../acts.mjs';
import {ALL_ZONES, besideZone, floodFrom, zonesOfMove} from './map.mjs';
import {CONQUEST_FACES, FIXED_FACES, FIXED_SET, promisedPiece, SCOUT_FACE, STEPPING_SET} from './state.mjs';
import {captureFlag, endTurn} from './turns.mjs';

const STEPPING_FACES = CONQUEST_FACES.filter((face) => !FIXED_FACES.includes(face));

/** Whether a piece of `seat` on `zone` could step: whether a neighbour is free or holds an enemy. */
function canStep({board}, seat, zone) {
  return besideZone(zone).some((other) => board[other]?.seat !== seat);
}

/** Whether a scout of `seat` on `zone` could run to `target`. */
function canRun({board, charge}, seat, zone, target) {
  const reached = floodFrom(zone, (other) => board[other] === null);
  if (target === zone || besideZone(zone).includes(target)) {
    return false;
  }
  if (board[target] === null) {
    return reached.has(target);
  }
  return charge && board[target].seat !== seat && besideZone(target).some((other) => reached.has(other));
}

/** Whether the player to move could make this move by what everybody can see; a closed piece steps and runs. */
function isMovePossible(state, source, target) {
  const {board, seat} = state;
  const piece = board[source];
  if (piece?.seat !== seat || FIXED_FACES.includes(piece.face) || board[target]?.seat === seat) {
    return false;
  }
  return besideZone(source).includes(target)
    || ((piece.face ?? SCOUT_FACE) === SCOUT_FACE && canRun(state, seat, source, target));
}

/** Whether an open piece of the player to move, not fixed, can step: then "none" is no option. */
function surelySteps(state) {
  return state.board.some((piece, zone) => (
    piece?.seat === state.seat && piece.face !== null && !FIXED_FACES.includes(piece.face)
    && canStep(state, state.seat, zone)));
}

/** The options of a move. */
function possibleMoves(state) {
  return {
    has: (move) => {
      if (move === 'none') {
        return state.made === 0 && !surelySteps(state);
      }
      if (move === 'stop') {
        return state.made > 0;
      }
      const zones = zonesOfMove(move);
      return zones !== null && isMovePossible(state, ...zones);
    },
  };
}

/** The player to move makes one move, or ends its turn. */
export function* makeMove(act) {
  const {state} = act;
  const answer = yield* act.chosen(possibleMoves(state));
  const zones = zonesOfMove(answer);
  if (answer === 'none' || answer === 'stop') {
    if (answer === 'none') {
      yield* claimNoStep(act);
    }
    act.tell(answer, state.seat);
    endTurn(act);
    return;
  }
  const [source, target] = zones;
  if (state.board[target] !== null) {
    yield* attackZone(act, source, target);
  } else if (besideZone(source).includes(target)) {
    yield* stepTo(act, source, target);
  } else {
    const closed = state.board[source].face === null;
    yield* openTheMover(act, source, target);
    walkTo(act, source, target);
    act.tell('ran', state.seat, {zones, faces: closed ? [SCOUT_FACE] : []});
  }
  act.change({made: act.state.made + 1});
  if (act.state.made === act.state.moves) {
    endTurn(act);
  }
}

/** No piece can step: all closed ones with a neighbour to go to are claimed to be fixed. */
function* claimNoStep(act) {
  const {state} = act;
  const stuck = ALL_ZONES.filter((zone) => {
    const piece = state.board[zone];
    return piece?.seat === state.seat && piece.face === null && canStep(state, state.seat, zone);
  });
  if (stuck.length > 0) {
    yield askToClaim(state.seat, CONQUEST_DATA.falseNoneRule, stuck.map((zone) => state.board[zone].slot), FIXED_FACES);
  }
  stuck.forEach((zone) => act.put(zone, promisedPiece(state.board[zone], CONQUEST_DATA.falseNoneRule, FIXED_SET)));
}

/** The piece on `source` takes `target`. */
function walkTo(act, source, target) {
  const piece = act.state.board[source];
  act.put(source, null);
  act.put(target, piece);
}

/** To a free neighbour: a closed piece stays closed, and is claimed to be able to step. */
function* stepTo(act, source, target) {
  const piece = act.state.board[source];
  if (piece.face === null && !piece.stepped) {
    yield askToClaim(piece.seat, CONQUEST_DATA.steppedRule, [piece.slot], STEPPING_FACES);
    act.put(source, {...promisedPiece(piece, CONQUEST_DATA.steppedRule, STEPPING_SET), stepped: true});
  }
  walkTo(act, source, target);
  act.tell('moved', act.state.seat, {zones: [source, target]});
}

/** The face of a piece that runs or attacks; the act ends if it cannot, or if its player has left. */
function* openTheMover(act, source, target) {
  const {seat} = act.state;
  const face = yield* act.shown(source);
  if (face === null) {
    throw new ActStopped();
  }
  if (FIXED_FACES.includes(face)) {
    throw act.breached(seat, CONQUEST_DATA.steppedRule);
  }
  if (face !== SCOUT_FACE && !besideZone(source).includes(target)) {
    throw act.breached(seat, CONQUEST_DATA.ranRule);
  }
  return face;
}

/** Both are opened, the attacker first; a defender whose owner has left leaves its zone. */
function* attackZone(act, source, target) {
  const {seat} = act.state;
  const attacker = yield* openTheMover(act, source, target);
  const defending = act.state.board[target];
  const defender = yield* act.shown(target);
  const zones = [source, target];
  if (defender === null) {
    walkTo(act, source, target);
    act.tell('walked-in', seat, {zones, faces: [attacker], other: defending.seat});
    return;
  }
  const result = CONQUEST_DATA.fights[attacker][defender];
  act.tell(result, seat, {zones, faces: [attacker, defender], other: defending.seat});
  if (result === 'flag') {
    walkTo(act, source, target);
    yield* captureFlag(act, seat, defending.seat, defending.slot);
    return;
  }
  if (result !== 'lost') {
    act.fall(target);
  }
  if (result === 'won') {
    walkTo(act, source, target);
  } else {
    act.fall(source);
  }
}
