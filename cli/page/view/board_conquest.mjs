// The map of Conquest as a drawing, and in words, from one observation (see `observeConquest`).
import {faceSign, tileShape} from './art.mjs';
import {CONQUEST_DATA} from '../game_data.mjs';
import {ALL_ZONES, TERRITORY_AT, ZONE_NAMES} from '../rules/conquest/map.mjs';
import {round2, svg} from './tree.mjs';

const FIELD = 40;
const MARGIN = 14;
const BODY = 29;
const MAP_ROWS = CONQUEST_DATA.rows;
const MAP_COLUMNS = CONQUEST_DATA.columns.length;
const MAP_WIDTH = 2 * MARGIN + MAP_COLUMNS * FIELD;
const MAP_HEIGHT = 2 * MARGIN + MAP_ROWS * FIELD;
const RANKS_DOWN = CONQUEST_DATA.pieces.map((_, face) => face).reverse();

// The left upper corner of a zone; north is up unless the map is `turned`.
function cornerOfZone(zone, turned) {
  const [column, row] = [Math.floor(zone / MAP_ROWS), zone % MAP_ROWS];
  const [across, down] = turned ? [MAP_COLUMNS - 1 - column, row] : [column, MAP_ROWS - 1 - row];
  return [MARGIN + across * FIELD, MARGIN + down * FIELD];
}

function middleOfZone(zone, turned) {
  return cornerOfZone(zone, turned).map((corner) => corner + FIELD / 2);
}

// The drawing.  `turned`: 1 if the map is seen from the north; `label`: what a screen reader calls it.
export function drawConquest(seen, turned, label) {
  const way = wayOfAct(seen.report);
  const placed = ALL_ZONES.filter((zone) => seen.board[zone] !== null);
  const moved = (zone) => zone === way?.[1];
  const order = [...placed.filter((zone) => !moved(zone)), ...placed.filter(moved)];
  return svg(
    'svg',
    { viewBox: `0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`, class: 'board conquest', role: 'img', 'aria-label': label },
    svg('defs', {}, [0, 1, 2, 3].map(weave), svg('marker', { id: 'way-head', viewBox: '0 0 8 8', refX: 5, refY: 4, markerWidth: 4.2, markerHeight: 4.2, orient: 'auto' }, svg('path', { d: 'M0 0L8 4L0 8z', class: 'arrow-head' }))),
    ALL_ZONES.map((zone) => landAt(seen, zone, turned)),
    borders(turned),
    mountains(turned),
    zoneNames(turned),
    touchedZones(seen.report, turned),
    way === null ? null : wayDrawn(way, turned),
    order.map((zone) => pieceOn(seen, zone, turned, way)),
  );
}

function weave(seat) {
  const line = ['M0 0L6 6M6 0L0 6', 'M0 3h6M3 0v6', 'M0 0L6 6', 'M0 2h6M0 5h6'][seat];
  return svg('pattern', { id: `weave${seat}`, width: 6, height: 6, patternUnits: 'userSpaceOnUse' }, svg('path', { d: line, class: 'weave' }));
}

// A zone in the colour of who has its territory, with its letter, and the sign of a city.
function landAt(seen, zone, turned) {
  const place = TERRITORY_AT[zone];
  const { letter, city, zones } = CONQUEST_DATA.territories[place];
  const owner = (seen.round === 0 ? seen.taken : seen.territories)[place];
  const [x, y] = cornerOfZone(zone, turned);
  return svg(
    'g',
    { class: `land${owner === null ? '' : ` of${owner}`}${city ? ' city' : ''}` },
    svg('rect', { x, y, width: FIELD, height: FIELD }),
    svg('text', { x: x + 3.5, y: y + 9.5, 'font-size': 8.5 }, letter),
    city && zones[0] === zone ? svg('path', { class: 'town', d: `M${x + FIELD - 12} ${y + 11}v-5l3-3 3 3v5zm6 0v-8h3v8z` }) : null,
  );
}

// The lines between territories, as one path.
function borders(turned) {
  const lines = ALL_ZONES.flatMap((zone) => {
    const [x, y] = cornerOfZone(zone, turned);
    const right = turned ? zone - MAP_ROWS : zone + MAP_ROWS;
    const below = turned ? zone + 1 : zone - 1;
    const sameRow = below >= 0 && Math.floor(below / MAP_ROWS) === Math.floor(zone / MAP_ROWS);
    return [
      TERRITORY_AT[right] !== undefined && TERRITORY_AT[right] !== TERRITORY_AT[zone] ? `M${x + FIELD} ${y}v${FIELD}` : '',
      sameRow && TERRITORY_AT[below] !== TERRITORY_AT[zone] ? `M${x} ${y + FIELD}h${FIELD}` : '',
    ];
  });
  const frame = `M${MARGIN} ${MARGIN}h${MAP_COLUMNS * FIELD}v${MAP_ROWS * FIELD}h-${MAP_COLUMNS * FIELD}z`;
  return svg('path', { class: 'border', d: lines.join('') + frame });
}

// Mountains stand between two zones.
function mountains(turned) {
  return CONQUEST_DATA.mountains.map(([zone, other]) => {
    const [[x, y], [otherX, otherY]] = [middleOfZone(zone, turned), middleOfZone(other, turned)];
    const [midX, midY] = [(x + otherX) / 2, (y + otherY) / 2];
    const peaks = [-12, 0, 12].map((away) => {
      const [peakX, peakY] = y === otherY ? [midX, midY + away + 5] : [midX + away, midY + 5];
      return `M${peakX - 7} ${peakY}l7-11 7 11z`;
    });
    return svg('path', { class: 'mountain', d: peaks.join('') });
  });
}

function zoneNames(turned) {
  const columns = [...CONQUEST_DATA.columns].flatMap((letter, column) => {
    const [x] = middleOfZone(column * MAP_ROWS, turned);
    return [9.5, MAP_HEIGHT - 4].map((y) => svg('text', { x, y, 'text-anchor': 'middle' }, letter));
  });
  const rows = Array.from({ length: MAP_ROWS }, (_, row) => {
    const [, y] = middleOfZone(row, turned);
    return [6.5, MAP_WIDTH - 6.5].map((x) => svg('text', { x, y: y + 3.5, 'text-anchor': 'middle' }, row + 1));
  });
  return svg('g', { class: 'coordinates', 'font-size': 10, 'aria-hidden': 'true' }, columns, rows);
}

const MOVING = new Set(['moved', 'ran', 'walked-in', 'won', 'lost', 'both', 'flag']);

// Source and target of the move of a step, or null.
function wayOfAct(report) {
  return report.find(({ kind }) => MOVING.has(kind))?.zones ?? null;
}

// The zones that a card has touched.
function touchedZones(report, turned) {
  const zones = report.filter(({ kind }) => !MOVING.has(kind)).flatMap((event) => event.zones);
  return zones.map((zone) => {
    const [x, y] = cornerOfZone(zone, turned);
    return svg('rect', { class: 'touched', x: x + 1.5, y: y + 1.5, width: FIELD - 3, height: FIELD - 3, rx: 5 });
  });
}

function wayDrawn([source, target], turned) {
  const [start, end] = [middleOfZone(source, turned), middleOfZone(target, turned)];
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  const part = (length - BODY / 2 - 1) / length;
  const tip = start.map((from, at) => round2(from + (end[at] - from) * part));
  const marked = [source, target].map((zone, at) => {
    const [x, y] = cornerOfZone(zone, turned);
    return svg('rect', { class: at ? 'to' : 'from', x: x + 1, y: y + 1, width: FIELD - 2, height: FIELD - 2, rx: 6 });
  });
  return svg('g', { class: 'last-move' }, marked,
    svg('path', { class: 'way', d: `M${start.join(' ')}L${tip.join(' ')}`, 'marker-end': 'url(#way-head)' }),
    svg('circle', { class: 'start', cx: start[0], cy: start[1], r: 3.4 }));
}

function pieceOn(seen, zone, turned, way) {
  const piece = seen.board[zone];
  const [x, y] = cornerOfZone(zone, turned);
  const [left, top] = [x + (FIELD - BODY) / 2, y + (FIELD - BODY) / 2 + 2];
  const [midX, midY] = [x + FIELD / 2, top + BODY / 2];
  const arrived = zone === way?.[1];
  const [fromX, fromY] = arrived ? middleOfZone(way[0], turned) : [midX, midY];
  const inset = 4.5;
  return svg(
    'g',
    {
      class: `tile seat${piece.seat} ${piece.face === null ? 'closed' : 'known'} ${piece.shown ? 'shown' : 'unseen'}`,
      ...(arrived ? { 'data-slide': `${round2(fromX - x - FIELD / 2)} ${round2(fromY - y - FIELD / 2)}` } : {}),
    },
    tileShape(piece.seat, left, top, BODY, { class: 'body' }),
    piece.face === null
      ? tileShape(piece.seat, left + inset, top + inset, BODY - 2 * inset, { class: 'back-weave', fill: `url(#weave${piece.seat})` })
      : faceSign(CONQUEST_DATA.pieces[piece.face].letter, midX, midY, 18),
    piece.shown ? svg('circle', { class: 'seen-mark', cx: midX + BODY / 2 - 3.5, cy: top + 3.5, r: 3.2 }) : null,
    !piece.shown && piece.moved ? svg('circle', { class: 'moved-mark', cx: midX, cy: top + BODY - 3.6, r: 2 }) : null,
  );
}

// The map in sentences, for those who do not see it.  `names`: of the players, by seat.
export function tellConquest(seen, names, say) {
  return names.flatMap((name, seat) => realmInWords(seen, name, seat, say));
}

function realmInWords(seen, name, seat, say) {
  const held = seen.round === 0 ? seen.taken : seen.territories;
  const lands = CONQUEST_DATA.territories.filter((_, place) => held[place] === seat).map(({ letter }) => letter);
  const own = ALL_ZONES.filter((zone) => seen.board[zone]?.seat === seat);
  const listed = (chosen, word) => own.filter((zone) => chosen(seen.board[zone])).map(word).join(', ');
  const named = (zone) => (seen.board[zone].face === null ? ZONE_NAMES[zone] : `${say(`piece.${seen.board[zone].face}`)} ${ZONE_NAMES[zone]}`);
  const inBag = RANKS_DOWN.map((face) => [face, seen.bags[seat].filter((piece) => piece.face === face).length]).filter(([, count]) => count > 0);
  const closed = seen.bags[seat].filter((piece) => piece.face === null).length;
  const bag = [...inBag.map(([face, count]) => `${say(`piece.${face}`)}${count > 1 ? ` ×${count}` : ''}`), ...(closed ? [`${say('conquest.closed')} ×${closed}`] : [])];
  const groups = [
    ['conquest.lands', lands.join(', ')],
    ['conquest.seen', listed((piece) => piece.shown, named)],
    ['conquest.hidden', listed((piece) => !piece.shown, named)],
    ['conquest.bag', bag.join(', ')],
    ['conquest.flags', seen.flags.flatMap((where, owner) => (where === seat ? [say(`seat.${owner}`)] : [])).join(', ')],
  ];
  const status = { out: 'conquest.out', gone: 'conquest.gone' }[seen.status[seat]] ?? 'conquest.count';
  return [say(status, { name, count: own.length }), ...groups.filter(([, text]) => text).map(([label, text]) => say(label, { pieces: text }))];
}
