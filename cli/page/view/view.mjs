// The parts of the page around the board, as trees; every text in them comes from labels, words or the record.
import {icon, seatSign, smallTile, spokenOnly} from './art.mjs';
import {powerFacts, powersRun} from './board_spies.mjs';
import {standingNotes} from './board_spies_and_lies.mjs';
import {countedFaces} from './board_stratego.mjs';
import {CONQUEST_DATA, STRATEGO_DATA} from '../game_data.mjs';
import {SPEEDS} from './playback.mjs';
import {html, svg} from './tree.mjs';
import {isolated, listing} from './words.mjs';

const POINTS_MOST = 10;
const TOKENS_MOST = 2;

// By game: whether it is a side's turn, the word for that, and the facts of a side's line.
const STRIPS = {
  stratego: { moves: (seen, side) => seen.phase === 'play' && seen.seat === side, turn: 'strip.moves', facts: armyFacts },
  'spies-and-lies': { moves: (seen, side) => seen.guesser === side, turn: 'strip.guesses', facts: lieFacts },
  conquest: { moves: (seen, side) => ['draft', 'cards', 'play', 'move'].includes(seen.phase) && seen.seat === side, turn: 'strip.moves', facts: realmFacts },
  spies: { moves: (seen, side) => ['secrets', 'police', 'spies', 'tile', 'turn'].includes(seen.phase) && seen.runs[seen.power] === side, turn: 'strip.moves', facts: serviceFacts },
};

// A side's line above or below the board.  `side`: its number, which is also that of its first seat; `names`: by side.
export function playerStrip(seen, side, names, say) {
  const won = seen.ended !== null && seen.ended.winners.includes(side);
  const parts = STRIPS[seen.game];
  const moves = seen.ended === null && parts.moves(seen, side);
  const [facts, below] = parts.facts(seen, side, say);
  return html(
    'div',
    { class: `strip seat${side}${moves ? ' moves' : ''}` },
    html(
      'div',
      { class: 'strip-line' },
      seatSign(side),
      html('bdi', { class: 'player', title: names[side] }, names[side]),
      won ? html('span', { class: 'won' }, say('strip.won')) : null,
      moves ? html('span', { class: 'turn' }, say(parts.turn)) : null,
      facts,
    ),
    below,
  );
}

// The notes beside the name, and below it.
function armyFacts(seen, seat, say) {
  if (seen.phase !== 'play' && seen.phase !== 'over') {
    return [html('span', { class: 'fact count' }, say('strip.sets.up')), html('div', { class: 'fallen' })];
  }
  const left = seen.squares.filter((piece) => piece?.seat === seat).length;
  const fallen = countedFaces(seen.lost[seat]);
  return [
    html('span', { class: 'fact count' }, say('strip.left', { count: left, size: seen.size })),
    html(
      'div',
      { class: 'fallen' },
      fallen.length ? spokenOnly(say('strip.fallen')) : null,
      fallen.map(([face, count]) =>
        html('span', { class: 'fallen-kind' }, smallTile(seat, STRATEGO_DATA.pieces[face].letter, say(`piece.${face}`)), count > 1 ? html('span', { class: 'times' }, `×${count}`) : null),
      ),
    ),
  ];
}

function lieFacts(seen, seat, say) {
  const points = seen.points[seat];
  const bar = [...Array(POINTS_MOST).keys()].map((at) =>
    svg('rect', { class: at < points ? 'full' : 'empty', x: at * 10 + 1, y: 1, width: 8, height: 10, rx: 2 }),
  );
  const laid = seen.report?.token && seen.report.guesser === 1 - seat;
  const tokens = [...Array(TOKENS_MOST).keys()].map((at) =>
    svg('path', { class: at < seen.tokens[seat] ? 'full' : 'empty', d: `M${at * 15 + 8} 1l6 6-6 6-6-6z` }),
  );
  return [
    [
      html('span', { class: 'fact points' },
        svg('svg', { viewBox: '0 0 100 12', class: 'bar', 'aria-hidden': 'true' }, bar),
        say('strip.points', { points, most: POINTS_MOST })),
      html('span', { class: 'fact tokens' },
        svg('svg', { viewBox: '0 0 31 14', class: 'tokens', role: 'img', 'aria-label': say('strip.tokens', { count: seen.tokens[seat] }) }, tokens),
        laid ? html('span', { class: 'laid' }, say('strip.laid')) : null),
    ],
    html('div', { class: 'notes' }, standingNotes(seen, seat, say).join(' · ')),
  ];
}

function realmFacts(seen, seat, say) {
  const status = { out: say('strip.out'), gone: say('strip.gone') }[seen.status[seat]];
  const held = seen.round === 0 ? seen.taken : seen.territories;
  const count = held.filter((owner) => owner === seat).length;
  const flags = seen.flags.flatMap((where, owner) => (where === seat ? [owner] : []));
  const sign = (piece) => (piece.face === null ? '·' : CONQUEST_DATA.pieces[piece.face].letter);
  return [
    html('span', { class: 'fact count' }, status ?? say('strip.lands', { count })),
    html(
      'div',
      { class: 'fallen' },
      flags.map((owner) => html('span', { class: 'fallen-kind' }, smallTile(owner, 'F', say('strip.flag', { seat: say(`seat.${owner}`) })))),
      seen.bags[seat].length ? spokenOnly(say('strip.bag')) : null,
      seen.bags[seat].map((piece) =>
        html('span', { class: 'fallen-kind' }, smallTile(seat, sign(piece), piece.face === null ? say('conquest.closed') : say(`piece.${piece.face}`)))),
    ),
  ];
}

function serviceFacts(seen, seat, say) {
  const score = seen.scores[seat];
  const gone = seen.gone.includes(seat);
  const count = score === undefined ? (gone ? say('strip.gone') : '') : say('strip.score', { points: score });
  return [
    count ? html('span', { class: 'fact count' }, count) : null,
    html('div', { class: 'notes' }, powersRun(seen, seat).map((power) => powerFacts(seen, power, say)).join(' · ')),
  ];
}

// The result of the game, over everything.  `result`: by the checked record; `told`: the words of the program that
// wrote the page; `names`: all that stand in either.
export function headline(result, content, names) {
  return [
    html('p', { class: 'kicker' }, content.title),
    html('h1', { class: sizeOf(result) }, isolated(result, names)),
    content.how ? html('p', { class: 'how' }, isolated(content.how, names)) : null,
  ];
}

// A long headline stands in smaller letters, so that it keeps to two lines.
function sizeOf(headline) {
  if (headline.length > 40) return 'longest';
  return headline.length > 24 ? 'long' : null;
}

// The badge: how far the check is, or how it ended.  `state`: "running", "passed", "warned", "failed".
export function badge(state, text) {
  const sign = { running: 'running', passed: 'passed', warned: 'open', failed: 'failed' }[state];
  return html('a', { class: `badge ${state}`, href: '#check' }, icon(sign), html('span', {}, text));
}

// The roster of checks.  `checks`: [{name, state, detail}], state "passed", "failed" or "open".
export function roster(checks, say) {
  return html(
    'ul',
    { class: 'roster', role: 'list' },
    checks.map((check) =>
      html(
        'li',
        { class: check.state },
        icon(check.state),
        html('span', { class: 'check' }, say(`check.${check.name}`)),
        spokenOnly(say(`state.${check.state}`)),
        html('span', { class: 'detail' }, check.detail),
      ),
    ),
  );
}

// The history in words.  `lines`: [{at, kind, seat, text: [sentence], heading}], `at`: the step to show.
export function historyList(lines, names, say) {
  return html(
    'ol',
    { class: 'history-list', role: 'list', 'aria-labelledby': 'history-title' },
    lines.flatMap((line, place) => [
      line.heading ? html('li', { class: 'heading' }, html('h3', {}, line.heading)) : null,
      html(
        'li',
        { class: `line ${line.kind}` },
        html(
          'button',
          { type: 'button', tabindex: -1, 'data-at': line.at, 'data-line': place, class: line.seat === null ? '' : `seat${line.seat}` },
          line.kind !== 'said' ? html('span', { class: 'number' }, line.number) : spokenOnly(say('history.said')),
          html('span', { class: 'words', dir: 'ltr' }, isolated(line.text.join(' '), names)),
        ),
      ),
    ]),
  );
}

// The marks of the events under the slider.  `moments`: as momentsOf gives them.
export function timelineMarks(moments) {
  const last = Math.max(moments.length - 1, 1);
  return svg(
    'svg',
    { viewBox: '0 0 1000 10', preserveAspectRatio: 'none', class: 'marks', 'aria-hidden': 'true' },
    moments.map((moment, at) =>
      moment === null
        ? null
        : svg('rect', { class: `${moment.kind}${moment.seat === null ? '' : ` seat${moment.seat}`}`, x: Math.round((at / last) * 9940) / 10, y: moment.kind === 'fight' ? 3 : 0, width: moments.length > 150 ? 3 : 5, height: moment.kind === 'fight' ? 7 : 10 }),
    ),
  );
}

const BUTTON_ORDER = ['first', 'event back', 'back', 'toggle', 'next', 'event', 'last'];

// The row of buttons under the board: speed and turning at its ends.  `language`: how numbers are written.
export function controls(say, language) {
  const button = (action, signs) =>
    html('button', { type: 'button', 'data-action': action, class: `control ${action.replace(' ', '-')}`, 'aria-label': say(`action.${action}`), title: say(`action.${action}`) }, signs);
  const speeds = SPEEDS.map((speed, at) => html('option', { value: at, selected: speed === 1 }, `${speed.toLocaleString(language)}×`));
  return html(
    'div',
    { class: 'controls', role: 'group', 'aria-label': say('controls') },
    html('label', { class: 'speed' }, spokenOnly(say('speed')), html('select', { id: 'speed' }, speeds)),
    html('div', { class: 'ways' }, BUTTON_ORDER.map((action) => button(action, action === 'toggle' ? [icon('play'), icon('pause')] : icon(action)))),
    button('turn', icon('turn')),
  );
}

// The choice between the views.  `signs`: by seat, the sign of its side.
export function viewChoice(names, signs, say) {
  const choices = [
    ...names.map((name, seat) => [String(seat), html('bdi', {}, name), seat]),
    ['all', [icon('eye'), html('span', { class: 'word' }, say('view.all'))], null],
    ['nobody', [icon('no eye'), html('span', { class: 'word' }, say('view.nobody'))], null],
  ];
  const titles = { all: say('view.all'), nobody: say('view.nobody') };
  return html(
    'fieldset',
    { class: `views${names.length > 2 ? ' many' : ''}${names.length > 3 ? ' crowd' : ''}` },
    html('legend', {}, say('view')),
    choices.map(([view, text, seat]) =>
      html('label', { class: `choice${seat === null ? ' eye' : ''}`, title: titles[view] ?? names[seat] },
        html('input', { type: 'radio', name: 'view', value: view, checked: view === 'all' }),
        html('span', {}, seat === null ? null : seatSign(signs[seat]), text)),
    ),
  );
}

// By the result of a fight, whether the attacker and the defender still stand.
const FATES = { won: [true, false], lost: [false, true], both: [false, false], flag: [true, false] };

// The fight of a step: `{result, fighters: [{seat, face}, …]}`, the attacker first; null without one.
function fightOf({ game, report }) {
  if (game === 'stratego' && report !== null && report.attacker !== null) {
    return { result: report.result, fighters: [{ seat: report.seat, face: report.attacker }, { seat: 1 - report.seat, face: report.defender }] };
  }
  const event = game === 'conquest' ? report.find(({ kind }) => Object.hasOwn(FATES, kind)) : undefined;
  return event === undefined ? null : { result: event.kind, fighters: [{ seat: event.seat, face: event.faces[0] }, { seat: event.other, face: event.faces[1] }] };
}

// The duel of a step: both pieces, and what became of them; null without a fight.
export function duel(seen, say) {
  const fight = fightOf(seen);
  if (fight === null) return null;
  const pieces = (seen.game === 'conquest' ? CONQUEST_DATA : STRATEGO_DATA).pieces;
  const [attacker, defender] = fight.fighters.map(({ seat, face }, at) =>
    html('span', { class: `fighter${FATES[fight.result][at] ? '' : ' falls'}` }, smallTile(seat, pieces[face].letter, ''), html('span', {}, say(`piece.${face}`))));
  return html('div', { class: 'duel', 'aria-hidden': 'true' }, attacker, html('span', { class: 'against' }, '×'), defender);
}

const LEGENDS = {
  stratego: ['legend.closed', 'legend.moved', 'legend.seen', 'legend.last'],
  'spies-and-lies': ['legend.back', 'legend.known', 'legend.mark', 'legend.token', 'legend.agent'],
  spies: ['legend.piece', 'legend.strength', 'legend.police', 'legend.secret', 'legend.city', 'legend.lines', 'legend.last'],
  conquest: ['legend.closed', 'legend.stepped', 'legend.open', 'legend.last', 'legend.city', 'legend.mountain', 'legend.land'],
};

// The keys, as a table in a dialog.
export function helpSheet(say, names, game) {
  const views = [...names, 'all', 'nobody'].map((_, at) => at + 1);
  const keys = [
    ['→ ←', 'help.step'], ['↓ ↑', 'help.event'], [say('key.ends'), 'help.ends'], ['␣', 'help.play'],
    ['+ −', 'help.speed'], [views.join(' '), 'help.views'], ['t', 'help.turn'], ['?', 'help.help'],
  ];
  return [
    html('header', {}, html('h2', { id: 'help-title' }, say('help')),
      html('button', { type: 'button', class: 'control', 'data-action': 'close help', 'aria-label': say('close') }, icon('close'))),
    html('dl', { class: 'keys' }, keys.map(([key, label]) => html('div', {}, html('dt', {}, key.split(' ').map((cap) => html('kbd', {}, cap))), html('dd', {}, say(label, { names: listing(say, names) }))))),
    html('h3', {}, say('legend')),
    html('ul', { class: 'legend' }, LEGENDS[game].map((label) => html('li', {}, say(label)))),
  ];
}
