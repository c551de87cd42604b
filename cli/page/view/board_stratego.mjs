// The board of Stratego as a drawing, and in words, from one observation (see `observeStratego`).
import {faceSign, tileShape} from './art.mjs';
import {STRATEGO_DATA} from '../game_data.mjs';
import {squareName} from '../rules/stratego/board.mjs';
import {round2, svg} from './tree.mjs';

const SIDE = 10;
const CELL = 37;
const EDGE = 15;
const TILE = 31;
const BOARD_SIZE = 2 * EDGE + SIDE * CELL;
const COLUMN_LETTERS = 'abcdefghij';

// The left upper corner of a square, with `bottom` the seat at the bottom.
function cornerOf(square, bottom) {
  const [column, row] = [square % SIDE, Math.floor(square / SIDE)];
  const [across, up] = bottom === 0 ? [column, row] : [SIDE - 1 - column, SIDE - 1 - row];
  return [EDGE + across * CELL, EDGE + (SIDE - 1 - up) * CELL];
}

// The drawing.  `label`: what a screen reader calls it.
export function drawStratego(seen, bottom, label) {
  const squares = seen.squares.map((piece, square) => ({ piece, square }));
  return svg(
    'svg',
    { viewBox: `0 0 ${BOARD_SIZE} ${BOARD_SIZE}`, class: 'board stratego', role: 'img', 'aria-label': label },
    svg('defs', {}, backPattern(0), backPattern(1), arrowHead()),
    svg('rect', { class: 'ground', x: EDGE, y: EDGE, width: SIDE * CELL, height: SIDE * CELL, rx: 5 }),
    checkers(bottom),
    craters(seen.craters, bottom),
    coordinates(bottom),
    lastMove(seen.report, bottom),
    inOrder(squares, seen.report).map(({ piece, square }) => pieceAt(piece, square, bottom, seen.report)),
    bothFell(seen.report, bottom),
  );
}

// The pieces, the one that has just moved last, so that it slides over the others.
function inOrder(squares, report) {
  const moved = ({ square }) => square === report?.to;
  const there = squares.filter(({ piece }) => piece !== null);
  return [...there.filter((placed) => !moved(placed)), ...there.filter(moved)];
}

function backPattern(seat) {
  const line = seat === 0 ? 'M0 0L6 6M6 0L0 6' : 'M0 3h6M3 0v6';
  return svg(
    'pattern',
    { id: `back${seat}`, width: 6, height: 6, patternUnits: 'userSpaceOnUse' },
    svg('path', { d: line, class: 'weave' }),
  );
}

function arrowHead() {
  return svg(
    'marker',
    { id: 'arrow', viewBox: '0 0 8 8', refX: 5, refY: 4, markerWidth: 4.2, markerHeight: 4.2, orient: 'auto' },
    svg('path', { d: 'M0 0L8 4L0 8z', class: 'arrow-head' }),
  );
}

function checkers(bottom) {
  const dark = [...Array(SIDE * SIDE).keys()].filter((square) => (Math.floor(square / SIDE) + square) % 2 === 0);
  const path = dark.map((square) => `M${cornerOf(square, bottom).join(' ')}h${CELL}v${CELL}h-${CELL}z`).join('');
  return svg('path', { class: 'checker', d: path });
}

// The craters lie two by two: one drawing for each four.
function craters(squares, bottom) {
  const all = new Set(squares);
  const first = squares.filter((square) => !all.has(square - 1) && !all.has(square - SIDE));
  return first.map((square) => {
    const [first, last] = [cornerOf(square, bottom), cornerOf(square + SIDE + 1, bottom)];
    const [x, y] = [Math.min(first[0], last[0]), Math.min(first[1], last[1])];
    return svg(
      'g',
      { class: 'crater', transform: `translate(${x + CELL} ${y + CELL})` },
      svg('ellipse', { class: 'rim', rx: 34, ry: 33 }),
      svg('path', { class: 'rays', d: 'M-31-19l-4-5M29-21l5-5M-25 26l-5 5M27 24l4 6M0-32v-4M33 2h3' }),
      svg('ellipse', { class: 'hole', cx: 1, cy: 2, rx: 27, ry: 25 }),
      svg('path', { class: 'shade', d: 'M-26 2a27 25 0 0 1 54 0a27 21 0 0 0-54 0z' }),
      svg('ellipse', { class: 'stone', cx: -6, cy: 10, rx: 4, ry: 3 }),
      svg('ellipse', { class: 'stone', cx: 9, cy: 6, rx: 2.4, ry: 1.8 }),
    );
  });
}

function coordinates(bottom) {
  const names = [];
  for (let at = 0; at < SIDE; at += 1) {
    const [x] = cornerOf(at, bottom);
    const [, y] = cornerOf(at * SIDE, bottom);
    for (const height of [10.5, BOARD_SIZE - 4]) {
      names.push(svg('text', { x: x + CELL / 2, y: height, 'text-anchor': 'middle' }, COLUMN_LETTERS[at]));
    }
    for (const left of [7, BOARD_SIZE - 7]) {
      names.push(svg('text', { x: left, y: y + CELL / 2 + 3.5, 'text-anchor': 'middle' }, at + 1));
    }
  }
  return svg('g', { class: 'coordinates', 'font-size': 10, 'aria-hidden': 'true' }, names);
}

function middleOf(square, bottom) {
  const [x, y] = cornerOf(square, bottom);
  return [x + CELL / 2, y + CELL / 2];
}

function lastMove(report, bottom) {
  if (report === null || report.from === null) return null;
  const marked = [report.from, report.to].map((square, at) => {
    const [x, y] = cornerOf(square, bottom);
    return svg('rect', { class: at ? 'to' : 'from', x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 6 });
  });
  const [start, end] = [middleOf(report.from, bottom), middleOf(report.to, bottom)];
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  const part = (length - TILE / 2 - 1) / length;
  const tip = [start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part].map(round2);
  const way = `M${start.join(' ')}L${tip.join(' ')}`;
  return svg(
    'g',
    { class: 'last-move' },
    marked,
    svg('path', { class: 'way', d: way, 'marker-end': 'url(#arrow)' }),
    svg('circle', { class: 'start', cx: start[0], cy: start[1], r: 3.4 }),
  );
}

function bothFell(report, bottom) {
  if (report?.result !== 'both') return null;
  const [x, y] = middleOf(report.to, bottom);
  return svg('path', { class: 'fell', d: `M${x - 8} ${y - 8}l16 16m0-16l-16 16` });
}

function pieceAt(piece, square, bottom, report) {
  const [x, y] = cornerOf(square, bottom);
  const [left, top] = [x + (CELL - TILE) / 2, y + (CELL - TILE) / 2];
  const [midX, midY] = [x + CELL / 2, y + CELL / 2];
  const moved = report !== null && report.to === square && report.from !== null;
  const arrived = moved && report.seat === piece.seat;
  const classes = ['tile', `seat${piece.seat}`, piece.face === null ? 'closed' : 'known', piece.shown ? 'shown' : 'unseen'];
  const [fromX, fromY] = arrived ? middleOf(report.from, bottom) : [midX, midY];
  return svg(
    'g',
    {
      class: classes.join(' '),
      ...(arrived ? { 'data-slide': `${round2(fromX - midX)} ${round2(fromY - midY)}` } : {}),
      ...(moved && !arrived ? { 'data-strike': true } : {}),
    },
    tileShape(piece.seat, left, top, TILE, { class: 'body' }),
    piece.face === null ? closedFace(piece, left, top) : faceSign(STRATEGO_DATA.pieces[piece.face].letter, midX, midY, 20),
    piece.shown ? svg('path', { class: 'seen-mark', d: `M${left + TILE - 9.5} ${top}h3.3a6.2 6.2 0 0 1 6.2 6.2v3.3z` }) : null,
    !piece.shown && piece.moved ? svg('circle', { class: 'moved-mark', cx: midX, cy: top + TILE - 4, r: 2 }) : null,
  );
}

function closedFace(piece, left, top) {
  const inset = 4.5;
  return [
    tileShape(piece.seat, left + inset, top + inset, TILE - 2 * inset, { class: 'back' }),
    tileShape(piece.seat, left + inset, top + inset, TILE - 2 * inset, { class: 'back-weave', fill: `url(#back${piece.seat})` }),
  ];
}

// The board in sentences, for those who do not see it.  `names`: of the players, by seat.
export function tellStratego(seen, names, say) {
  if (seen.phase !== 'play' && seen.phase !== 'over') return [say('stratego.before')];
  return [0, 1].flatMap((seat) => {
    const own = seen.squares.map((piece, square) => ({ piece, square })).filter(({ piece }) => piece?.seat === seat);
    const where = (chosen) => own.filter(({ piece }) => chosen(piece)).map((placed) => pieceInWords(placed, say)).join(', ');
    const groups = [
      ['stratego.seen', where((piece) => piece.shown)],
      ['stratego.moved', where((piece) => !piece.shown && piece.moved)],
      ['stratego.unmoved', where((piece) => !piece.shown && !piece.moved)],
    ];
    return [
      say('stratego.count', { name: names[seat], count: own.length, size: seen.size }),
      ...groups.filter(([, listed]) => listed).map(([label, listed]) => say(label, { pieces: listed })),
      ...(seen.lost[seat].length ? [say('stratego.fallen', { pieces: fallenInWords(seen.lost[seat], say) })] : []),
    ];
  });
}

function pieceInWords({ piece, square }, say) {
  return piece.face === null ? squareName(square) : `${say(`piece.${piece.face}`)} ${squareName(square)}`;
}

function fallenInWords(faces, say) {
  return countedFaces(faces).map(([face, count]) => `${say(`piece.${face}`)}${count > 1 ? ` ×${count}` : ''}`).join(', ');
}

// Fallen pieces, the highest first: [[face, how many], …].
export function countedFaces(faces) {
  const order = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 11, 0];
  return order.map((face) => [face, faces.filter((other) => other === face).length]).filter(([, count]) => count > 0);
}
