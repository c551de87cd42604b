// The page's own words: templates in the reader's language, which the program that wrote the page has put in.

import {html} from './tree.mjs';

// A function from a label's name and its fields to the text.  A label that is missing shows its name.
export function speaker(labels) {
  return (name, fields = {}) => {
    // `hasOwn`, as every object also has a `constructor`; a function, as `replace` reads `$&` in a text (a name).
    const template = Object.hasOwn(labels, name) ? String(labels[name]) : name;
    return template.replace(/\{(\w+)\}/g, (whole, field) =>
      Object.hasOwn(fields, field) ? String(fields[field]) : whole,
    );
  };
}

// A sentence as parts for a drawing: each player's name stands isolated, so that one in letters from right to left
// does not turn the words around it.
export function isolated(text, names) {
  const longest = names.filter(Boolean).sort((left, right) => right.length - left.length);
  const at = longest.map((name) => [text.indexOf(name), name]).filter(([place]) => place >= 0);
  if (at.length === 0) return [text];
  const [place, name] = at.reduce((first, next) => (next[0] < first[0] ? next : first));
  return [text.slice(0, place), html('bdi', {}, name), ...isolated(text.slice(place + name.length), names)];
}

// "red, blue and green", by the labels `list.between` and `list.last`.
export function listing(say, items) {
  if (items.length < 2) return items.join('');
  const last = items.length - 1;
  return items.slice(0, last).join(say('list.between')) + say('list.last') + items[last];
}

// Signs that frame a part of a line (apostrophes do not), dashes, groups of four as a fingerprint has them, and ends of
// sentences that are not those of an initial or a title.
const FRAMES = /(?!['’‘])[<>|`"\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/gu;
const DASHES = /[\p{Pd}−⁃·‧•˗]/gu;
const GROUPS = /(?<![\p{L}\p{N}_])[\p{L}\p{N}_]{4}(?:[-_.:/~=][\p{L}\p{N}_]{4}){2,}(?![\p{L}\p{N}_])/gu;
const ENDS = /(?<!(?<!\S)\p{Lu}\p{L}{0,2})[.!?:;…‼⁇⁈⁉؟؛۔।॥。！？．：；｡]+(?= |$)/gu;

// A name of anybody as it can stand in a sentence: one that could pass for a fingerprint or for a sentence of the page
// loses what deceives, and stands in quotation marks (as in the program, threat 24).
export function harmlessName(name) {
  const dashed = name.replace(DASHES, '-');
  const kept = dashed.replace(FRAMES, ' ').replace(GROUPS, (group) => group.replace(/[^\p{L}\p{N}]/gu, '')).replace(ENDS, '');
  return kept === dashed ? name : `“${kept.trim()}”`;
}
