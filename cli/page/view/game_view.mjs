// A game of the page: its observations, its boards and its history, by the name of the game.
import {drawSpiesAndLies, tellSpiesAndLies} from './board_spies_and_lies.mjs';
import {drawStratego, tellStratego} from './board_stratego.mjs';
import {observeSpiesAndLies} from '../rules/spies_and_lies.mjs';
import {observeStratego} from '../rules/stratego.mjs';
import {momentsOf, openingStep} from './moments.mjs';

const GAME_PARTS = {
  'spies-and-lies': { observe: observeSpiesAndLies, draw: drawSpiesAndLies, tell: tellSpiesAndLies },
  stratego: { observe: observeStratego, draw: drawStratego, tell: tellStratego },
};

// The view of a checked record.  `result`: of `verify`; `story`: the words, by line:
// {at: step, kind: "step" | "said" | "end" | "open", text: [sentence]}.  What came behind the last complete step,
// an end or a step that is not finished, is one more step, at the board of the one before.
export function gameOf(result, story, say) {
  const parts = GAME_PARTS[result.genesis.game];
  const states = result.shown.map((position) => position.state);
  const behind = states.length === 0 ? undefined : story.find((line) => line.at === states.length)?.kind;
  const boards = behind === undefined ? states : [...states, states.at(-1)];
  const byRules = (at, viewer) => parts.observe(boards[at], viewer, result.faces);
  const over = endedOutside(result);
  const seenBy = (at, viewer) => {
    const seen = byRules(at, viewer);
    return at === boards.length - 1 && seen.ended === null ? { ...seen, ended: over } : seen;
  };
  const open = boards.map((_, at) => seenBy(at, 'nobody'));
  const happened = openingStep(momentsOf(states.map((_, at) => byRules(at, 'nobody'))));
  return {
    name: result.genesis.game,
    names: result.genesis.players.map((player) => player.name),
    count: boards.length,
    seenBy,
    moments: momentsOf(open, behind === 'open'),
    opening: happened < states.length - 1 ? happened : boards.length - 1,
    board: (at, viewer, bottom, label) => parts.draw(seenBy(at, viewer), bottom, label, say),
    tell: (at, viewer, names) => parts.tell(seenBy(at, viewer), names, say),
    banner: (at) => bannerOf(open[at], say),
    lines: linesOf(open, story, say),
    wordsAt: (at) => story.filter((line) => line.at === at).flatMap((line) => line.text),
  };
}

// How a game ended that the rules did not end: by a resignation, a draw, a fault; null if it can still go on.  Nobody
// is said to have won by a fault, nor because a seat alone says so.
function endedOutside({ status, outcome }) {
  if (status === 'complete') return outcome;
  return ['cheated', 'equivocated', 'unresponsive'].includes(status) ? { winners: [], reason: outcome.reason } : null;
}

// The stage of the game, in a few words.
export function bannerOf(seen, say) {
  if (seen.ended !== null) return say('banner.over');
  if (seen.game === 'stratego') return seen.phase === 'play' ? say('banner.move', { count: seen.plies }) : say('banner.setup');
  if (seen.phase === 'mission' && seen.turn > 0) return say('banner.guess', { day: seen.day, turn: seen.turn });
  return say('banner.day', { day: seen.day });
}

// The lines of the history, with what the list needs of the board: whose step it is, its number, its heading.
function linesOf(open, story, say) {
  let day = 0;
  return story.map((line) => {
    const seen = open[line.at];
    const opens = line.kind === 'step' && seen.game !== 'stratego' && seen.day !== day;
    if (opens) day = seen.day;
    const report = line.kind === 'step' ? seen.report : null;
    return {
      ...line,
      seat: report === null ? null : (report.seat ?? report.guesser),
      number: line.kind === 'said' ? '' : line.at + 1,
      heading: opens ? say('banner.day', { day }) : '',
    };
  });
}
