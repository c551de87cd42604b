// Texts by Unicode 3.2 (SPEC 3 and 5), whatever version the browser has.
//
// Of code points that 3.2 assigns, every later version normalizes as 3.2 does, by Unicode's policy of stability, but
// for five ideographs (Corrigendum 4); these stand in no text in normal form, by the old data or the new.  So the runs
// of such code points can be left to the browser, and no run goes across a later code point.

import {ASSIGNED, MARKS, VISIBLE} from '../../unicode_data.mjs';

const MOST_NAME = 32;
const MOST_MARKS = 30;
const MOST_TEXT = 2048;
const assignedEdges = edges(ASSIGNED);
const markEdges = edges(MARKS);
const visibleEdges = edges(VISIBLE);

/** The edges of a table's ranges, begin and end in turns: it holds the distance of each edge from the one before. */
function edges(table) {
  let last = 0;
  return Uint32Array.from(table.split(' '), (distance) => {
    last += Number.parseInt(distance, 36);
    return last;
  });
}

/** Whether a code point lies in one of the ranges: behind an odd number of edges. */
function within(edges, codePoint) {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (edges[middle] <= codePoint) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low % 2 === 1;
}

/** The number of code points of a text. @param {string} text @returns {number} */
export function lengthOf(text) {
  let length = 0;
  for (const _ of text) {
    length += 1;
  }
  return length;
}

/** Whether a text is printable ASCII of 1 to `most` characters. */
export function isPlain(text, most) {
  return text.length <= most && /^[\x20-\x7e]+$/.test(text);
}

/** Whether a text is short enough, and in normal form C by Unicode 3.2. @param {string} text @returns {boolean} */
export function isText(text) {
  return text.length <= 2 * MOST_TEXT && lengthOf(text) <= MOST_TEXT && isNormal(text);
}

/** Whether few marks stand in a row anywhere in a text: to put n of them in their order takes n * n steps. */
function hasFewMarks(text) {
  let row = 0;
  for (const letter of text) {
    row = within(markEdges, letter.codePointAt(0)) ? row + 1 : 0;
    if (row > MOST_MARKS) {
      return false;
    }
  }
  return true;
}

/** Whether a text is in normal form C by Unicode 3.2, with few marks. @param {string} text @returns {boolean} */
export function isNormal(text) {
  if (/^[\x00-\x7f]*$/.test(text)) {
    return true;
  }
  if (!hasFewMarks(text)) {
    return false;
  }
  let run = '';
  for (const letter of text) {
    if (within(assignedEdges, letter.codePointAt(0))) {
      run += letter;
    } else if (run.normalize('NFC') !== run) {
      return false;
    } else {
      run = '';
    }
  }
  return run.normalize('NFC') === run;
}

/** Whether a text can be a player's name: 1 to 32 characters that can be seen, and spaces between them. */
export function isName(text) {
  const length = lengthOf(text);
  if (length < 1 || length > MOST_NAME || text.startsWith(' ') || text.endsWith(' ') || !isNormal(text)) {
    return false;
  }
  return [...text].every((letter) => letter === ' ' || within(visibleEdges, letter.codePointAt(0)));
}
