// Small drawings that several parts of the page share.
import {html, round2, svg} from './tree.mjs';

const ICON_PATHS = {
  first: 'M6 5v14M19 5l-9 7 9 7z',
  'event back': 'M12 5l-8 7 8 7zM21 5l-8 7 8 7z',
  back: 'M17 5l-10 7 10 7z',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  next: 'M7 5l10 7-10 7z',
  event: 'M12 5l8 7-8 7zM3 5l8 7-8 7z',
  last: 'M18 5v14M5 5l9 7-9 7z',
  turn: 'M7 4v14l-3-3M7 18l3-3M17 20V6l-3 3M17 6l3 3',
  help: 'M9 9a3 3 0 1 1 4 2.8c-.7.3-1 .8-1 1.7M12 17v.5',
  auto: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  light: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  dark: 'M19 14.5A8 8 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z',
  passed: 'M5 12.5l4.5 4.5L19 7.5',
  failed: 'M6 6l12 12M18 6L6 18',
  open: 'M6 12h12',
  running: 'M12 4a8 8 0 1 1-8 8',
  close: 'M6 6l12 12M18 6L6 18',
  save: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  eye: 'M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z',
  'no eye': 'M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12zM4 3.5l16 17',
  print: 'M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z',
};

// An icon for a button, hidden from screen readers: the button has words of its own.
export function icon(name) {
  return svg(
    'svg',
    { viewBox: '0 0 24 24', class: `icon icon-${name.replace(' ', '-')}`, 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: ICON_PATHS[name] }),
  );
}

const SIGN_PATHS = ['M5 2h6a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3z', 'M8 .8L15.2 8 8 15.2.8 8z', 'M8 1.4a6.6 6.6 0 1 1 0 13.2A6.6 6.6 0 0 1 8 1.4z', 'M8 1.2L15.4 14.4H.6z', 'M4.2 1.4h7.6L15.6 8l-3.8 6.6H4.2L.4 8z'];

// A sign for a seat: red is a square, blue a diamond, green round, yellow a triangle, violet has six corners, so that
// colour is never the only difference.
export function seatSign(seat) {
  return svg('svg', { viewBox: '0 0 16 16', class: `sign seat${seat}`, 'aria-hidden': 'true' }, svg('path', { d: SIGN_PATHS[seat] }));
}

// The outline of a piece's tile within a square of `size` units at (x, y): red with round corners, blue cut, green round,
// yellow with points at its sides, violet with points above and below.
export function tileShape(seat, x, y, size, attributes = {}) {
  if (seat === 4) {
    const [middle, low, high] = [x + size / 2, y + size * 0.78, y + size * 0.22].map(round2);
    return svg('path', { d: `M${middle} ${y}L${x + size} ${high}V${low}L${middle} ${y + size}L${x} ${low}V${high}z`, ...attributes });
  }
  if (seat % 2 === 0) return svg('rect', { x, y, width: size, height: size, rx: round2(size * (seat === 0 ? 0.2 : 0.5)), ...attributes });
  const cut = size * 0.22;
  const [right, low, middle] = [x + size, y + size, y + size / 2];
  const sides = seat === 1 ? [[right, y + cut], [right, low - cut]] : [[right, middle]];
  const others = seat === 1 ? [[x, low - cut], [x, y + cut]] : [[x, middle]];
  const corners = [[x + cut, y], [right - cut, y], ...sides, [right - cut, low], [x + cut, low], ...others];
  return svg('path', { d: `M${corners.map((corner) => corner.map(round2).join(' ')).join('L')}z`, ...attributes });
}

const GLYPHS = {
  F: 'M-5.5 9V-9.5M-5.5-9C-1-11.5 1-6.5 7-9V0C1 2.5-1-2.5-5.5 0',
  B: 'M-1.6-3.9L-.8-6.8 3.4-5.6 2.6-2.8A6.9 6.9 0 1 1-1.6-3.9zM1.6-6.4C2.6-9.8 5.6-10.2 7-7.6M7-5.2v2M9.4-6.2l1.6-1.2M9.2-8.8l1.2.6',
};

// The face of a piece, its middle at (x, y), in letters of `size` units: F and B are drawn, others written.
export function faceSign(letter, x, y, size, attributes = {}) {
  const glyph = GLYPHS[letter];
  if (glyph === undefined) {
    return svg('text', { x, y: Math.round((y + size * 0.355) * 100) / 100, 'font-size': size, 'text-anchor': 'middle', class: 'face', ...attributes }, letter);
  }
  const scale = Math.round((size / 19) * 100) / 100;
  return svg('path', { d: glyph, transform: `translate(${x} ${y}) scale(${scale})`, class: `face drawn drawn-${letter}`, ...attributes });
}

// A piece as it stands in a line of text.
export function smallTile(seat, letter, name) {
  return svg(
    'svg',
    { viewBox: '0 0 24 24', class: `small-tile tile seat${seat}`, role: 'img', 'aria-label': name },
    tileShape(seat, 1, 1, 22, { class: 'body' }),
    faceSign(letter, 12, 12, 15),
  );
}

// Words that only a screen reader has.
export function spokenOnly(...text) {
  return html('span', { class: 'spoken' }, ...text);
}
