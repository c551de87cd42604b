// The parts of the page around the board, as trees; every text in them comes from labels, words or the record.
import {icon, seatSign, smallTile, spokenOnly} from './art.mjs';
import {standingNotes} from './board_spies_and_lies.mjs';
import {countedFaces} from './board_stratego.mjs';
import {STRATEGO_DATA} from '../game_data.mjs';
import {SPEEDS} from './playback.mjs';
import {html, svg} from './tree.mjs';
import {isolated} from './words.mjs';

const POINTS_MOST = 10;
const TOKENS_MOST = 2;

// A player's line above or below the board.  `seat`: whose; `won`: at the end, whether this seat has won.
export function playerStrip(seen, seat, names, say) {
  const won = seen.ended !== null && seen.ended.winners.includes(seat);
  const moves = seen.ended === null && (seen.game === 'stratego' ? seen.phase === 'play' && seen.seat === seat : seen.guesser === seat);
  const [facts, below] = seen.game === 'stratego' ? armyFacts(seen, seat, say) : lieFacts(seen, seat, say);
  return html(
    'div',
    { class: `strip seat${seat}${moves ? ' moves' : ''}` },
    html(
      'div',
      { class: 'strip-line' },
      seatSign(seat),
      html('bdi', { class: 'player', title: names[seat] }, names[seat]),
      won ? html('span', { class: 'won' }, say('strip.won')) : null,
      moves ? html('span', { class: 'turn' }, say(seen.game === 'stratego' ? 'strip.moves' : 'strip.guesses')) : null,
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

// The choice between the views.
export function viewChoice(names, say) {
  const choices = [
    ['0', html('bdi', {}, names[0]), 0],
    ['1', html('bdi', {}, names[1]), 1],
    ['all', [icon('eye'), html('span', { class: 'word' }, say('view.all'))], null],
    ['nobody', [icon('no eye'), html('span', { class: 'word' }, say('view.nobody'))], null],
  ];
  const titles = { all: say('view.all'), nobody: say('view.nobody') };
  return html(
    'fieldset',
    { class: 'views' },
    html('legend', {}, say('view')),
    choices.map(([view, text, seat]) =>
      html('label', { class: `choice${seat === null ? ' eye' : ''}`, title: titles[view] ?? names[seat] },
        html('input', { type: 'radio', name: 'view', value: view, checked: view === 'all' }),
        html('span', {}, seat === null ? null : seatSign(seat), text)),
    ),
  );
}

// The duel of a step: both pieces, and what became of them; null without a fight.
export function duel(seen, say) {
  const report = seen.game === 'stratego' ? seen.report : null;
  if (report === null || report.attacker === null) return null;
  const fate = { won: [true, false], lost: [false, true], both: [false, false], flag: [true, false] }[report.result];
  const side = (seat, face, stands) =>
    html('span', { class: `fighter${stands ? '' : ' falls'}` }, smallTile(seat, STRATEGO_DATA.pieces[face].letter, ''), html('span', {}, say(`piece.${face}`)));
  return html('div', { class: 'duel', 'aria-hidden': 'true' },
    side(report.seat, report.attacker, fate[0]), html('span', { class: 'against' }, '×'), side(1 - report.seat, report.defender, fate[1]));
}

// The keys, as a table in a dialog.
export function helpSheet(say, names, game) {
  const keys = [
    ['→ ←', 'help.step'], ['↓ ↑', 'help.event'], [say('key.ends'), 'help.ends'], ['␣', 'help.play'],
    ['+ −', 'help.speed'], ['1 2 3 4', 'help.views'], ['t', 'help.turn'], ['?', 'help.help'],
  ];
  const signs = game === 'stratego'
    ? ['legend.closed', 'legend.moved', 'legend.seen', 'legend.last']
    : ['legend.back', 'legend.known', 'legend.mark', 'legend.token', 'legend.agent'];
  return [
    html('header', {}, html('h2', { id: 'help-title' }, say('help')),
      html('button', { type: 'button', class: 'control', 'data-action': 'close help', 'aria-label': say('close') }, icon('close'))),
    html('dl', { class: 'keys' }, keys.map(([key, label]) => html('div', {}, html('dt', {}, key.split(' ').map((cap) => html('kbd', {}, cap))), html('dd', {}, say(label, { one: names[0], two: names[1] }))))),
    html('h3', {}, say('legend')),
    html('ul', { class: 'legend' }, signs.map((label) => html('li', {}, say(label)))),
  ];
}
