// A game of the page: its observations, its boards and its history, by the name of the game.
import {drawConquest, tellConquest} from './board_conquest.mjs';
import {drawSpies, tellSpies} from './board_spies.mjs';
import {drawSpiesAndLies, tellSpiesAndLies} from './board_spies_and_lies.mjs';
import {drawStratego, tellStratego} from './board_stratego.mjs';
import {observeConquest} from '../rules/conquest/conquest.mjs';
import {eachAlone} from '../verifier/record/asks.mjs';
import {observeSpies} from '../rules/spies/spies.mjs';
import {observeSpiesAndLies} from '../rules/spies_and_lies/spies_and_lies.mjs';
import {observeStratego} from '../rules/stratego/stratego.mjs';
import {spiesAndLiesSides} from '../rules/spies_and_lies/seating.mjs';
import {momentsOf, openingStep} from './moments.mjs';
import {listing} from './words.mjs';

// `sides`: the seats that have one line beside the board; `sits`: whether the viewer's line comes below it.
const GAME_PARTS = {
  'spies-and-lies': { observe: observeSpiesAndLies, draw: drawSpiesAndLies, tell: tellSpiesAndLies, sides: spiesAndLiesSides, sits: true },
  stratego: { observe: observeStratego, draw: drawStratego, tell: tellStratego, sides: () => [[0], [1]], sits: true },
  conquest: { observe: observeConquest, draw: drawConquest, tell: tellConquest, sides: eachAlone, sits: false },
  spies: { observe: observeSpies, draw: drawSpies, tell: tellSpies, sides: eachAlone, sits: false },
};

// The view of a checked record.  `result`: of `verify`; `story`: the words, by line:
// {at: step, kind: "step" | "said" | "end" | "open", text: [sentence]}.  What came behind the last complete step,
// an end or a step that is not finished, is one more step, at the board of the one before.
export function gameOf(result, story, say) {
  const parts = GAME_PARTS[result.genesis.game];
  const seats = result.genesis.players.length;
  const sides = parts.sides(seats);
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
    seats,
    sits: parts.sits,
    sideNames: (names) => sides.map((side) => listing(say, side.map((seat) => names[seat]))),
    strips: (bottom) => (parts.sits ? [[1 - bottom], [bottom]] : [sides.slice(0, seats >> 1).flat(), sides.slice(seats >> 1).flat()]),
    count: boards.length,
    seenBy,
    moments: momentsOf(open, behind === 'open'),
    opening: happened < states.length - 1 ? happened : boards.length - 1,
    board: (at, viewer, bottom, label) => parts.draw(seenBy(at, viewer), bottom, label, say, boards[at - 1] ?? null),
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
  if (seen.game === 'stratego') return seen.phase === 'play' ? say('banner.play') : say('banner.setup');
  if (seen.game === 'conquest') return conquestBanner(seen, say);
  if (seen.game === 'spies') return spiesBanner(seen, say);
  if (seen.phase === 'mission' && seen.turn > 0) return say('banner.guess', { day: seen.day, turn: seen.turn });
  return say('banner.day', { day: seen.day });
}

function conquestBanner({ phase, round, turn }, say) {
  if (phase === 'draft') return say('banner.draft');
  return round === 0 ? say('banner.setup') : say('banner.turn', { round, turn });
}

function spiesBanner({ phase, year, power, ap, runs }, say) {
  if (SETTING_UP.has(phase) || runs[power] === null) return say(phase === 'talk' ? 'banner.talk' : 'banner.setup', { year });
  const fields = { year, power: say(`power.${power}`), points: ap };
  return say(phase === 'bid' ? 'banner.bid' : 'banner.power', fields);
}

const SETTING_UP = new Set(['secrets', 'police', 'talk', 'spies']);

// The part of the game that a step belongs to, and its heading in the history: a day, a round, or a year.  `seen`: what
// the step led to; `before`: where it began, as the last move of a round leads to the next one.  Of SPIES! the words of
// the last step of a year begin with the next year.
function chapterOf(seen, before, say) {
  if (seen.game === 'spies-and-lies') return [seen.day, say('banner.day', { day: seen.day })];
  if (seen.game === 'conquest') return [before.round, before.round === 0 ? say('banner.draft') : say('banner.round', { round: before.round })];
  if (seen.game === 'spies') {
    const begun = before.spies.every((spy) => spy.where !== 'reserve');
    return begun ? [seen.year, String(seen.year)] : [0, say('banner.setup')];
  }
  return [0, ''];
}

// Whose step it is: the seat, or the side, of its report; or null.
function actorOf({ game, report, runs }) {
  if (game === 'conquest') return report[0]?.seat ?? null;
  if (game === 'spies') return runs[report.find(({ power }) => power >= 0)?.power] ?? null;
  return report === null ? null : (report.seat ?? report.guesser);
}

// The lines of the history, with what the list needs of the board: whose step it is, its number, its heading.
function linesOf(open, story, say) {
  let chapter = -1;
  return story.map((line) => {
    const seen = open[line.at];
    const [now, heading] = chapterOf(seen, open[line.at - 1] ?? seen, say);
    const opens = line.kind === 'step' && heading !== '' && now !== chapter;
    if (opens) chapter = now;
    return {
      ...line,
      seat: line.kind === 'step' ? actorOf(seen) : null,
      number: line.kind === 'said' ? '' : line.at + 1,
      heading: opens ? heading : '',
    };
  });
}
