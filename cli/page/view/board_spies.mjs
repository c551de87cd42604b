// The map of SPIES! as a drawing, and in words, from one observation (see `observeSpies`).
import {tileShape} from './art.mjs';
import {SPIES_DATA} from '../game_data.mjs';
import {ALL_CITIES, ALL_POWERS, seasAt} from '../rules/spies/map.mjs';
import {IN_DROP, spyCode, UNDER_POLICE} from '../rules/spies/state.mjs';
import {round2, svg} from './tree.mjs';

// Of the terminal's map: a city has eight columns and two rows.
const MAP_COLUMN = 10;
const MAP_ROW = 23;
const CITY_CELL = 8 * MAP_COLUMN;
const SHORE = 8;
const EUROPE_WIDTH = 2 * SHORE + Math.max(...SPIES_DATA.places.map(([column]) => column)) * MAP_COLUMN + CITY_CELL;
const EUROPE_HEIGHT = 2 * SHORE + (Math.max(...SPIES_DATA.places.map(([, row]) => row)) + 2) * MAP_ROW;
const NAME_ROOM = CITY_CELL - 12;
const NAME_SIZE = 12.5;
// Of a letter, in sizes, in wide fonts.
const NAME_WIDTH = 0.58;
const SPY_PIECE = 20;
const LETTERS = 'girfb';
// By sea: a place in open water, in columns and rows.
const SEA_PLACES = { baltic: [42, 3], north: [22, 5.4], atlantic: [3.4, 15.7], west: [23, 20.6], adriatic: [39, 17.7], east: [45, 24.6], black: [62, 15.7] };

// The left upper corner of a city's cell; north is up unless the map is `turned`.
function cellOf(city, turned) {
  const [column, row] = SPIES_DATA.places[city];
  const [x, y] = [SHORE + column * MAP_COLUMN, SHORE + row * MAP_ROW];
  return turned ? [EUROPE_WIDTH - x - CITY_CELL, EUROPE_HEIGHT - y - 2 * MAP_ROW] : [x, y];
}

// Where the links of a city end: at its sign.
function signOf(city, turned) {
  const [x, y] = cellOf(city, turned);
  return [x + 5, y + MAP_ROW / 2];
}

// The drawing.  `turned`: 1 if the map is seen from the north; `before`: the state of the step before, or null.
export function drawSpies(seen, turned, label, say, before = null) {
  const ways = waysOfStep(seen, before);
  return svg(
    'svg',
    { viewBox: `0 0 ${EUROPE_WIDTH} ${EUROPE_HEIGHT}`, class: 'board spies', role: 'img', 'aria-label': label },
    svg('defs', {}, svg('marker', { id: 'way-head', viewBox: '0 0 8 8', refX: 5, refY: 4, markerWidth: 3.6, markerHeight: 3.6, orient: 'auto' }, svg('path', { d: 'M0 0L8 4L0 8z', class: 'arrow-head' }))),
    svg('rect', { class: 'water', x: 1, y: 1, width: EUROPE_WIDTH - 2, height: EUROPE_HEIGHT - 2, rx: 10 }),
    svg('path', { class: 'airline', d: linkLines(SPIES_DATA.air, turned) }),
    svg('path', { class: 'railway', d: linkLines(SPIES_DATA.rail, turned) }),
    seaNames(turned, say),
    touchedCities(seen, ways).map((city) => touchedCity(city, turned)),
    ways.map((way) => wayOfSpy(way, turned)),
    ALL_CITIES.map((city) => cityDrawn(seen, city, turned, say)),
  );
}

function linkLines(links, turned) {
  return links.map(([city, other]) => `M${signOf(city, turned).join(' ')}L${signOf(other, turned).join(' ')}`).join('');
}

function seaNames(turned, say) {
  return SPIES_DATA.seas.map(({ name }, sea) => {
    const [column, row] = SEA_PLACES[name];
    const [x, y] = [SHORE + column * MAP_COLUMN, SHORE + row * MAP_ROW];
    const [left, top] = turned ? [EUROPE_WIDTH - x, EUROPE_HEIGHT - y] : [x, y];
    return svg('text', { class: 'sea', x: left, y: top, 'font-size': 10, 'text-anchor': 'middle' }, say(`sea.${sea}`));
  });
}

// Source and target of each spy that has moved in a step.
function waysOfStep(seen, before) {
  if (before === null) return [];
  const moves = seen.report.filter(({ kind, spy, city }) => kind === 'moves' && before.spies[spy].city >= 0 && before.spies[spy].city !== city);
  return moves.map(({ spy, city }) => ({ spy, from: before.spies[spy].city, to: city }));
}

// The cities in which something has happened, but for those that a spy has left.
function touchedCities(seen, ways) {
  const places = seen.report.flatMap(({ city, spy, secret }) => [city, seen.spies[spy]?.city ?? -1, seen.secrets[secret]?.city ?? -1]);
  return [...new Set([...places, ...ways.map(({ to }) => to)])].filter((city) => city >= 0);
}

function touchedCity(city, turned) {
  const [x, y] = cellOf(city, turned);
  return svg('rect', { class: 'touched', x: x - 3, y: y - 1, width: CITY_CELL, height: 2 * MAP_ROW - 1, rx: 6 });
}

function wayOfSpy({ from, to }, turned) {
  const [start, end] = [signOf(from, turned), signOf(to, turned)];
  const part = 1 - 10 / Math.max(Math.hypot(end[0] - start[0], end[1] - start[1]), 20);
  const tip = start.map((at, axis) => round2(at + (end[axis] - at) * part));
  return svg('g', { class: 'last-move' },
    svg('path', { class: 'way', d: `M${start.join(' ')}L${tip.join(' ')}`, 'marker-end': 'url(#way-head)' }),
    svg('circle', { class: 'start', cx: start[0], cy: start[1], r: 3.4 }));
}

function cityDrawn(seen, city, turned, say) {
  const [x, y] = cellOf(city, turned);
  const [left, middle] = signOf(city, turned);
  const power = seen.territory[city];
  const owner = power === null ? null : seen.runs[power];
  const capital = SPIES_DATA.capitals.includes(city);
  const haven = SPIES_DATA.havens.includes(city);
  const pieces = piecesIn(seen, city);
  const step = Math.min(SPY_PIECE + 3, (CITY_CELL - 4 - SPY_PIECE) / Math.max(pieces.length - 1, 1));
  return svg(
    'g',
    { class: `place${owner === null ? '' : ` of${owner}`}${capital ? ' capital' : ''}${haven ? ' haven' : ''}` },
    capital ? svg('rect', { class: 'spot', x: left - 5, y: middle - 5, width: 10, height: 10, rx: 1.5 }) : svg('circle', { class: 'spot', cx: left, cy: middle, r: haven ? 5 : 4 }),
    seasAt(city).length > 0 ? svg('path', { class: 'port', d: `M${left - 3} ${middle + 7}q3 -2.4 6 0` }) : null,
    svg('text', { class: 'city-name', x: left + 8, y: middle + 4, 'font-size': sizeOfName(say(`city.${city}`)) }, say(`city.${city}`)),
    pieces.map((piece, at) => pieceDrawn(piece, x + at * step, y + MAP_ROW - 2)),
  );
}

// A long name stands in smaller letters, so that it keeps to the room of its city.
function sizeOfName(name) {
  return round2(Math.min(NAME_SIZE, NAME_ROOM / ([...name].length * NAME_WIDTH)));
}

// All that stands in a city: secrets on the ground and in drops, then police and spies by power, each with the secret
// that it controls.
function piecesIn(seen, city) {
  const here = seen.secrets.filter((lying) => lying.where === 'map' && lying.city === city);
  const carried = (spy) => here.find((lying) => lying.on === spy) ?? null;
  const free = here.filter((lying) => lying.on < 0 && lying.on !== UNDER_POLICE);
  const ground = free.map((secret) => ({ seat: secret.on === IN_DROP ? seen.runs[secret.by] : null, secret, drop: secret.on === IN_DROP }));
  const stationed = ALL_POWERS.flatMap((power) => {
    const guarded = here.filter((lying) => lying.on === UNDER_POLICE && lying.by === power);
    const police = seen.police[power].filter((unit) => unit.city === city);
    const spies = seen.spies.flatMap((piece, spy) => (piece.power === power && piece.where === 'map' && piece.city === city ? [{ ...piece, spy }] : []));
    return [
      ...police.map((unit, at) => ({ seat: seen.runs[power], power, police: unit, secret: guarded[at] ?? null })),
      ...spies.map((piece) => ({ seat: seen.runs[power], power, piece, secret: carried(piece.spy) })),
    ];
  });
  return [...ground, ...stationed];
}

function pieceDrawn({ seat, power, police, piece, secret, drop = false }, x, y) {
  if (police === undefined && piece === undefined) {
    return svg('g', { class: `secret${drop ? ` drop seat${seat}` : ''}` }, envelope(secret, x + 1, y + 3, SPY_PIECE - 3));
  }
  const face = piece?.face ?? police?.face ?? null;
  const open = piece?.open ?? false;
  const sign = police === undefined ? spyCode(piece.spy).slice(2) : '';
  return svg(
    'g',
    { class: `tile seat${seat} ${face === null ? 'closed' : 'known'} ${open ? 'shown' : 'unseen'}` },
    police === undefined
      ? tileShape(seat, x, y, SPY_PIECE, { class: 'body' })
      : svg('path', { class: 'body shield', d: `M${x + 1} ${y + 1}q${SPY_PIECE / 2 - 1} 3 ${SPY_PIECE - 2} 0v${SPY_PIECE / 2}q0 ${SPY_PIECE / 2 - 2} -${SPY_PIECE / 2 - 1} ${SPY_PIECE / 2 - 1}q-${SPY_PIECE / 2 - 1} -1 -${SPY_PIECE / 2 - 1} -${SPY_PIECE / 2 - 1}z` }),
    svg('text', { class: 'face', x: x + SPY_PIECE / 2, y: y + 14, 'font-size': 11, 'text-anchor': 'middle' }, LETTERS[power] + sign),
    face === null ? null : strengthMark(piece === undefined ? face : SPIES_DATA.strengths[face], piece !== undefined && face === SPIES_DATA.cousin, x, y),
    secret === null ? null : envelope(secret, x + SPY_PIECE - 10, y + SPY_PIECE - 6, 12),
  );
}

// The strength of a piece whose face is known; that of the cousin stands in a ring.
function strengthMark(strength, isCousin, x, y) {
  return svg('g', { class: `strength${isCousin ? ' cousin' : ''}` },
    svg('circle', { cx: x + 2, cy: y + 3, r: 5.4 }),
    svg('text', { x: x + 2, y: y + 6.2, 'font-size': 9, 'text-anchor': 'middle' }, strength));
}

// A secret as an envelope, with its value if it is known; a counterspy's has a cross.
function envelope({ face }, x, y, size) {
  const high = round2(size * 0.72);
  const counterspy = face !== null && SPIES_DATA.counterspies.includes(face);
  return svg('g', { class: `envelope${face === null ? '' : ' read'}${counterspy ? ' counterspy' : ''}` },
    svg('rect', { x, y, width: size, height: high, rx: 1.2 }),
    face === null
      ? svg('path', { d: `M${x} ${y + 0.5}l${size / 2} ${round2(high * 0.6)}l${size / 2} -${round2(high * 0.6)}` })
      : svg('text', { x: x + size / 2, y: round2(y + high * 0.82), 'font-size': round2(size * 0.68), 'text-anchor': 'middle' }, `${counterspy ? '×' : ''}${face % 10}`));
}

// The facts of a power in a few words: its money, chits and tiles.
export function powerFacts(seen, power, say) {
  const pounds = seen.purses[power].length > 0 ? '?' : seen.money[power];
  return say('spies.power', { power: say(`power.${power}`), pounds, chits: seen.hands[power].length, tiles: seen.tiles[power].length });
}

// The powers that a seat runs now.
export function powersRun(seen, seat) {
  return ALL_POWERS.filter((power) => seen.runs[power] === seat);
}

// The map in sentences, for those who do not see it.  `names`: of the players, by seat.
export function tellSpies(seen, names, say) {
  return ALL_POWERS.flatMap((power) => powerInWords(seen, power, names[seen.runs[power]] ?? say('spies.nobody'), say));
}

function powerInWords(seen, power, name, say) {
  const city = (at) => say(`city.${at}`);
  const spies = seen.spies.flatMap((piece, spy) => (piece.power === power && piece.where === 'map'
    ? [`${spyCode(spy)}${piece.face === null ? '' : ` ${say(`spy.${power}.${piece.face}`)}`} ${city(piece.city)}`] : []));
  const stations = [...new Set(seen.police[power].map((unit) => unit.city))].map((at) => {
    const count = seen.police[power].filter((unit) => unit.city === at).length;
    return `${city(at)}${count > 1 ? ` ×${count}` : ''}`;
  });
  const secrets = (where) => seen.secrets.filter((lying) => lying.where === where && lying.by === power).map((lying) => (
    `${city(lying.origin)}${lying.face === null ? '' : ` (${say(`secret.${lying.face}`)})`}`)).join(', ');
  const captives = seen.spies.flatMap((piece, spy) => (piece.where === 'captured' && piece.captor === power ? [spyCode(spy)] : []));
  const groups = [
    ['spies.spies', spies.join(', ')], ['spies.police', stations.join(', ')], ['spies.controls', secrets('map')],
    ['spies.cashed', secrets('cashed')], ['spies.captives', captives.join(', ')],
  ];
  return [say('spies.of', { name, facts: powerFacts(seen, power, say) }), ...groups.filter(([, text]) => text).map(([label, pieces]) => say(label, { pieces }))];
}
