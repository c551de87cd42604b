// Drawings as trees of plain objects, made without a document, so that they can be tested without a browser.
//
// Text is always a string of its own in a tree, never markup: a name from the record cannot become an element.

export function svg(tag, attributes = {}, ...children) {
  return treeNode('svg', tag, attributes, children);
}

export function html(tag, attributes = {}, ...children) {
  return treeNode('html', tag, attributes, children);
}

// {space: "svg" | "html", tag, attributes: {name: string}, children: [node or string]}; attributes that are
// null or false are left out, true ones are empty; children that are null, false or "" are left out.
function treeNode(space, tag, attributes, children) {
  const kept = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      kept[name] = value === true ? '' : String(value);
    }
  }
  const inside = children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== '')
    .map((child) => (typeof child === 'object' ? child : String(child)));
  return { space, tag, attributes: kept, children: inside };
}

// All the text in a tree, in its order.
export function textOf(tree) {
  return typeof tree === 'string' ? tree : tree.children.map(textOf).join('');
}

// Every node of a tree for which `test` holds, in its order.
export function nodesWhere(tree, test) {
  if (typeof tree === 'string') return [];
  return [...(test(tree) ? [tree] : []), ...tree.children.flatMap((child) => nodesWhere(child, test))];
}

// A number as it stands in an attribute: at most two decimals.
export function round2(number) {
  return Math.round(number * 100) / 100;
}

// Of a bold letter, in sizes, in wide fonts.
const LETTER_WIDTH = 0.7;

// Attributes for text of about `size` units a letter that must fit into `room` units.
export function fitted(text, size, room) {
  const wide = [...text].length * size * LETTER_WIDTH;
  if (wide <= room) return { 'font-size': size };
  const smaller = Math.max(size * (room / wide), size * 0.74);
  const squeezed = [...text].length * smaller * LETTER_WIDTH > room;
  return {
    'font-size': round2(smaller),
    ...(squeezed ? { textLength: room, lengthAdjust: 'spacingAndGlyphs' } : {}),
  };
}
