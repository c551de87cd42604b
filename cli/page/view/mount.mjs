// The one place that makes elements: from trees, with text as text and attributes as attributes.

const SPACES = { svg: 'http://www.w3.org/2000/svg', html: 'http://www.w3.org/1999/xhtml' };

// The element of a tree, or the text node of a string.
export function elementOf(tree) {
  if (typeof tree === 'string') return document.createTextNode(tree);
  const element = document.createElementNS(SPACES[tree.space], tree.tag);
  for (const [name, value] of Object.entries(tree.attributes)) element.setAttribute(name, value);
  element.append(...tree.children.map(elementOf));
  return element;
}

// Let `place` hold these trees and nothing else.
export function fill(place, ...trees) {
  place.replaceChildren(...trees.flat(Infinity).filter((tree) => tree !== null && tree !== '').map(elementOf));
}

// Move what a step has moved, unless its reader wants no motion.  The board's own units are the drawing's.
export function animate(board, milliseconds) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || board.animate === undefined) return;
  for (const element of board.querySelectorAll('[data-slide]')) {
    const [x, y] = element.getAttribute('data-slide').split(' ').map(Number);
    const settled = element.getAttribute('transform') ?? '';
    const at = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(settled);
    const [left, top] = at ? [Number(at[1]), Number(at[2])] : [0, 0];
    element.animate(
      [{ transform: `translate(${left + x}px, ${top + y}px)` }, { transform: `translate(${left}px, ${top}px)` }],
      { duration: milliseconds, easing: 'cubic-bezier(.3,.7,.3,1)' },
    );
  }
  for (const element of board.querySelectorAll('[data-turned], [data-strike]')) {
    element.animate([{ opacity: 0.15 }, { opacity: 1 }], { duration: milliseconds, easing: 'ease-out' });
  }
}
