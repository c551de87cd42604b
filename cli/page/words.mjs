// The page's own words: templates in the reader's language, which the program that wrote the page has put in.

// A function from a label's name and its fields to the text.  A label that is missing shows its name.
export function speaker(labels) {
  return (name, fields = {}) => {
    const template = Object.hasOwn(labels, name) ? String(labels[name]) : name;
    return template.replace(/\{(\w+)\}/g, (whole, field) =>
      Object.hasOwn(fields, field) ? String(fields[field]) : whole,
    );
  };
}

// "red, blue and green", by the labels `list.between` and `list.last`.
export function listing(say, items) {
  if (items.length < 2) return items.join('');
  const last = items.length - 1;
  return items.slice(0, last).join(say('list.between')) + say('list.last') + items[last];
}
