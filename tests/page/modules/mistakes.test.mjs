// Costly decisions as questions: what is asked, and what an answer comes to.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {mistakesSection, worthOfAnswer} from '../../../cli/page/view/mistakes.mjs';

const QUESTION = {
  at: 4, heading: 'You chose: a.', asked: 'Which?', answers: [['a', ['a: it costs 9.0 points. Try again.']], ['b', ['b: as good as the best. Well done!']]],
  best: ['The bot would have chosen: b.'],
};
const MISTAKES = { seat: 1, player: '<b>Ann</b>', bot: 'The Agent', questions: [QUESTION] };

const textOf = (tree) => (typeof tree === 'string' ? tree : tree.children.map(textOf).join(' '));
const all = (tree, tag) => (typeof tree === 'string' ? [] : [...(tree.tag === tag ? [tree] : []), ...tree.children.flatMap((child) => all(child, tag))]);

test('a question has its answers, no hint of what they are worth, and the words of a stranger stay text', () => {
  const section = mistakesSection(MISTAKES, ['<b>Ann</b>'], (name, fields = {}) => [name, ...Object.values(fields)].join(' '));
  const text = section.map(textOf).join(' ');
  assert.match(text, /You chose: a\./);
  assert.match(text, /<b>Ann<\/b>/);
  assert.doesNotMatch(text, /costs|as good as|would have chosen/);
  const options = section.flatMap((tree) => all(tree, 'option'));
  assert.deepEqual(options.map((option) => option.attributes.value).map(String), ['', '0', '1']);
  assert.equal(section.flatMap((tree) => all(tree, 'button')).length, 2);
});

test('an answer comes to its sentences, and none to nothing', () => {
  assert.deepEqual(worthOfAnswer(QUESTION, '1'), ['b: as good as the best. Well done!']);
  assert.deepEqual(worthOfAnswer(QUESTION, ''), []);
  assert.deepEqual(worthOfAnswer(QUESTION, '7'), []);
});
