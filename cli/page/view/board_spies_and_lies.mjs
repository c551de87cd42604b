// The table of Spies & Lies as a drawing, and in words, from one observation (see `observeSpiesAndLies`).
import {SPIES_AND_LIES_DATA} from '../game_data.mjs';
import {fitted, round2, svg} from './tree.mjs';

const CARD_WIDTH = 92;
const CARD_HEIGHT = 104;
const CARD_STEP = 100;
const TABLE_WIDTH = 400;
const UPPER_ROW = 4;
const TRACK_HEIGHT = 156;
const INTEL_HEIGHT = 196;
const LOWER_ROW = 218;
const TABLE_HEIGHT = LOWER_ROW + CARD_HEIGHT + 4;

// The drawing, with `bottom` the seat at the bottom.  `label`: what a screen reader calls it.
export function drawSpiesAndLies(seen, bottom, label, say) {
  return svg(
    'svg',
    { viewBox: `0 0 ${TABLE_WIDTH} ${TABLE_HEIGHT}`, class: 'board spies-and-lies', role: 'img', 'aria-label': label },
    svg('defs', {}, cardBack(0), cardBack(1)),
    cardRow(seen, 1 - bottom, UPPER_ROW, say),
    agentTrack(seen, bottom, say),
    intelRow(seen, say),
    cardRow(seen, bottom, LOWER_ROW, say),
  );
}

function cardBack(seat) {
  const line = seat === 0 ? 'M0 0L8 8M8 0L0 8' : 'M0 4h8M4 0v8';
  return svg(
    'pattern',
    { id: `card-back${seat}`, width: 8, height: 8, patternUnits: 'userSpaceOnUse' },
    svg('path', { d: line, class: 'weave' }),
  );
}

function cardRow(seen, seat, y, say) {
  return seen.cards[seat].map((card, at) => drawCard(seen, card, seat, at + 1, 4 + at * CARD_STEP, y, say));
}

function drawCard(seen, card, seat, mission, x, y, say) {
  const target = seen.mission === mission && seen.guesser === 1 - seat;
  const known = card.rank !== null;
  const classes = [
    'card',
    `seat${seat}`,
    !card.laid ? 'none' : card.open ? 'open' : known ? 'known' : 'closed',
    card.out ? 'fresh' : '',
    target ? 'target' : '',
  ];
  const token = card.out && seen.report?.token;
  return svg(
    'g',
    { class: classes.filter(Boolean).join(' '), transform: `translate(${x} ${y})`, ...(card.out ? { 'data-turned': true } : {}) },
    target ? svg('rect', { class: 'aim', x: -3.5, y: -3.5, width: CARD_WIDTH + 7, height: CARD_HEIGHT + 7, rx: 11 }) : null,
    svg('rect', { class: 'paper', width: CARD_WIDTH, height: CARD_HEIGHT, rx: 8 }),
    card.laid && !known ? svg('rect', { class: 'weave-face', x: 6, y: 24, width: CARD_WIDTH - 12, height: CARD_HEIGHT - 30, rx: 5, fill: `url(#card-back${seat})` }) : null,
    svg('path', { class: 'band', d: `M0 20V8a8 8 0 0 1 8-8h${CARD_WIDTH - 16}a8 8 0 0 1 8 8v12z` }),
    svg('text', { class: 'mission', x: 9, y: 14.8, 'font-size': 13 }, mission),
    card.marked ? markSign(CARD_WIDTH - 12) : null,
    token ? tokenSign(CARD_WIDTH - (card.marked ? 28 : 12), 10) : null,
    known ? cardFace(seen, card, say) : null,
  );
}

function cardFace(seen, card, say) {
  const name = say(`soldier.${card.rank}`);
  const label = card.result === null ? say('card.closed') : say(`result.${card.result}`);
  const guess = card.out && seen.report.guess !== null ? say('card.guess', { rank: seen.report.guess }) : '';
  const middle = CARD_WIDTH / 2;
  return [
    svg('text', { class: 'rank', x: middle, y: 52, 'font-size': 32, 'text-anchor': 'middle' }, card.rank),
    svg('text', { class: 'name', x: middle, y: 69, 'text-anchor': 'middle', ...fitted(name, 13.5, CARD_WIDTH - 13) }, name),
    svg('text', { class: `result ${card.result ?? 'still-closed'}`, x: middle, y: guess ? 83 : 88, 'text-anchor': 'middle', ...fitted(label, 12, CARD_WIDTH - 8) }, label),
    guess ? svg('text', { class: 'guess', x: middle, y: 97, 'text-anchor': 'middle', ...fitted(guess, 12, CARD_WIDTH - 8) }, guess) : null,
  ];
}

function markSign(x) {
  return svg('g', { class: 'mark', transform: `translate(${x} 10)` }, svg('circle', { class: 'ring', r: 5.4 }), svg('circle', { class: 'dot', r: 2.2 }));
}

function tokenSign(x, y) {
  return svg('path', { class: 'token', d: `M${x} ${y - 6.4}L${x + 5.6} ${y}L${x} ${y + 6.4}L${x - 5.6} ${y}z` });
}

// The agent's track: the fort of the seat at the bottom stands left, as in the terminal.
function agentTrack(seen, bottom, say) {
  const forward = bottom === 0 ? 1 : -1;
  const step = 336 / (2 * seen.wall + 2);
  const at = (place) => round2(TABLE_WIDTH / 2 + place * forward * step);
  const spots = [];
  for (let place = -seen.wall; place <= seen.wall; place += 1) {
    spots.push(
      svg('circle', { class: place === 0 ? 'spot middle' : 'spot', cx: at(place), cy: TRACK_HEIGHT, r: place === 0 ? 5.5 : 4 }),
      svg('text', { class: 'count', x: at(place), y: TRACK_HEIGHT + 19, 'font-size': 11, 'text-anchor': 'middle' }, Math.abs(place)),
    );
  }
  const walls = [-1, 1].map((side) => svg('path', { class: 'wall', d: `M${at(side * (seen.wall + 0.5))} ${TRACK_HEIGHT - 15}v30` }));
  const moved = agentMove(seen);
  return svg(
    'g',
    { class: 'track' },
    svg('path', { class: 'line', d: `M${TABLE_WIDTH / 2 - seen.wall * step} ${TRACK_HEIGHT}h${2 * seen.wall * step}` }),
    spots,
    walls,
    fort(TABLE_WIDTH / 2 - (seen.wall + 1) * step, bottom),
    fort(TABLE_WIDTH / 2 + (seen.wall + 1) * step, 1 - bottom),
    moved ? svg('path', { class: 'walked', d: `M${at(seen.agent - moved)} ${TRACK_HEIGHT}H${at(seen.agent)}` }) : null,
    svg(
      'g',
      { class: 'agent', transform: `translate(${at(seen.agent)} ${TRACK_HEIGHT})`, ...(moved ? { 'data-slide': `${round2(-moved * forward * step)} 0` } : {}) },
      svg('path', { class: 'pawn', d: 'M-8.5 9.5c0-6 3.2-7.5 4.4-12h8.2c1.2 4.5 4.4 6 4.4 12z' }),
      svg('circle', { class: 'pawn', cy: -8.5, r: 6.2 }),
      svg('path', { class: 'hat', d: 'M-10-10.5h20M-5.8-11.5l1.2-6h9.2l1.2 6z' }),
    ),
    svg('title', {}, say('track.title')),
  );
}

// Steps that the agent has made in this turn, toward blue; from the effects, which tell each push and undo.
function agentMove(seen) {
  const signed = { agent: 1, flag: 1, undone: -1 };
  return (seen.report?.effects ?? []).reduce((sum, effect) => {
    const steps = effect.kind === 'flag' ? 0 : effect.amount;
    return sum + (signed[effect.kind] ?? 0) * steps * (effect.side === 0 ? 1 : -1);
  }, 0);
}

function fort(x, seat) {
  return svg(
    'g',
    { class: `fort seat${seat}`, transform: `translate(${round2(x)} ${TRACK_HEIGHT})` },
    svg('path', { class: 'stone', d: 'M-10 12V-4h4v3h4v-3h4v3h4v-3h4V12z' }),
    svg('path', { class: 'pole', d: 'M0-4V-19' }),
    svg('path', { class: 'flag', d: 'M0-19c4-2 6 2 11 0v8c-5 2-7-2-11 0z' }),
  );
}

function intelRow(seen, say) {
  const old = seen.today === null ? seen.intel : seen.intel.slice(0, -1);
  const parts = [];
  let x = 4;
  const write = (text, kind) => {
    parts.push(svg('text', { class: `intel-${kind}`, x: round2(x), y: INTEL_HEIGHT + 4.5, 'font-size': 12.5 }, text));
    x += [...text].length * 7 + 6;
  };
  const chip = (range, kind) => {
    const width = 40;
    parts.push(
      svg('g', { class: `intel-chip ${kind}`, transform: `translate(${round2(x)} ${INTEL_HEIGHT})` },
        svg('rect', { y: -9.5, width, height: 19, rx: 5 }),
        svg('text', { x: width / 2, y: 4.5, 'font-size': 12.5, 'text-anchor': 'middle' }, `${range[0]}–${range[1]}`)),
    );
    x += width + 5;
  };
  write(say('intel'), 'word');
  if (seen.today !== null) chip(seen.today, 'today');
  if (old.length) write(say('intel.old'), 'word');
  for (const range of old) chip(range, 'old');
  write(say('intel.left', { count: seen.intelLeft }), 'word');
  return svg('g', { class: 'intel' }, parts);
}

// The table in sentences, for those who do not see it.  `names`: of the players, by seat.
export function tellSpiesAndLies(seen, names, say) {
  const ranges = (list) => list.map((range) => `${range[0]}–${range[1]}`).join(', ');
  const old = seen.today === null ? seen.intel : seen.intel.slice(0, -1);
  return [
    agentInWords(seen, names, say),
    ...(seen.today === null ? [] : [say('tell.intel', { range: ranges([seen.today]) })]),
    say('tell.old', { ranges: ranges(old) || say('none'), count: seen.intelLeft }),
    ...[0, 1].flatMap((seat) => sideInWords(seen, seat, names, say)),
  ];
}

function agentInWords(seen, names, say) {
  if (seen.agent === 0) return say('tell.middle', { wall: seen.wall });
  const whose = names[seen.agent > 0 ? 1 : 0];
  const steps = Math.abs(seen.agent);
  return steps > seen.wall ? say('tell.flag', { name: whose }) : say('tell.agent', { name: whose, steps, wall: seen.wall });
}

function sideInWords(seen, seat, names, say) {
  const points = { name: names[seat], points: seen.points[seat], most: SPIES_AND_LIES_DATA.infiltration ?? 10, tokens: seen.tokens[seat] };
  const cards = seen.cards[seat].filter((card) => card.laid);
  const notes = standingNotes(seen, seat, say);
  return [
    say('tell.side', points),
    ...(notes.length ? [`${notes.join('; ')}.`] : []),
    ...cards.map((card) => say('tell.mission', { mission: seen.cards[seat].indexOf(card) + 1, card: cardInWords(card, say) })),
  ];
}

function cardInWords(card, say) {
  const parts = [
    card.rank === null ? say('card.back') : soldierName(card.rank, say),
    card.result !== null ? say(`result.${card.result}`) : card.rank === null ? '' : say('card.closed'),
    card.marked ? say('card.marked') : '',
  ];
  return parts.filter(Boolean).join(', ');
}

// "7 Bomb".
export function soldierName(rank, say) {
  return `${rank} ${say(`soldier.${rank}`)}`;
}

// The signs of a side beside its points: soldiers at rest, soldiers in force, waiting effects.
export function standingNotes(seen, seat, say) {
  const listed = (ranks) => ranks.map((rank) => soldierName(rank, say)).join(', ');
  return [
    seen.exhausted[seat].length ? say('note.exhausted', { soldiers: listed(seen.exhausted[seat]) }) : '',
    seen.active[seat].length ? say('note.force', { soldiers: listed(seen.active[seat]) }) : '',
    seen.blast[seat] ? say('note.blast') : '',
    seen.caught[seat] ? say('note.caught') : '',
    seen.double[seat] ? say('note.double') : '',
  ].filter(Boolean);
}
