// When the page refuses to show its game, and how it words a verdict.
import assert from 'node:assert/strict';
import test from 'node:test';

import {refusalOf, toneOf, verdictSentence} from '../../cli/page/judge.mjs';
import {inSlices} from '../../cli/page/slices.mjs';

const result = {
  verdict: 'complete', genesis: {id: 'aa', players: [{name: 'Ann'}, {name: 'Ben'}]}, outcome: {winners: [1]},
  shown: [{entry: 1}, {entry: 4}], culprit: null,
};
const expected = {sha256: 'dd', verdict: 'complete', id: 'aa', winners: [1]};
const say = (name, fields = {}) => [name, ...Object.values(fields)].join(':');

test('what fits is shown', () => {
  assert.equal(refusalOf(result, expected, 'dd', [1, 4]), '');
});

test('whatever does not fit is refused', () => {
  assert.equal(refusalOf(result, expected, 'de', [1, 4]), 'refused.changed');
  assert.equal(refusalOf({...result, genesis: null}, expected, 'dd', [1, 4]), 'refused.tampered');
  assert.equal(refusalOf({...result, verdict: 'tampered'}, {...expected, verdict: 'tampered'}, 'dd', [1, 4]), 'refused.tampered');
  assert.equal(refusalOf({...result, verdict: 'cheated'}, expected, 'dd', [1, 4]), 'refused.other');
  assert.equal(refusalOf(result, {...expected, id: 'ab'}, 'dd', [1, 4]), 'refused.other');
  assert.equal(refusalOf(result, {...expected, winners: [0]}, 'dd', [1, 4]), 'refused.other');
  assert.equal(refusalOf(result, {...expected, winners: null}, 'dd', [1, 4]), 'refused.other');
  assert.equal(refusalOf(result, expected, 'dd', [1, 5]), 'refused.words');
  assert.equal(refusalOf(result, expected, 'dd', [1]), 'refused.words');
});

test('a verdict has words and a tone', () => {
  assert.equal(verdictSentence(result, say), 'verdict.complete outcome.won:Ben');
  const cheated = {...result, verdict: 'cheated', culprit: 0, place: 'entry 3', rule: 'order'};
  assert.equal(verdictSentence(cheated, say), 'verdict.cheated fault:Ann:entry 3:order');
  assert.equal(verdictSentence({...result, genesis: null, outcome: null, verdict: 'tampered'}, say), 'verdict.tampered');
  assert.deepEqual(['complete', 'incomplete', 'cheated', 'new'].map(toneOf), ['passed', 'warned', 'failed', 'failed']);
});

test('long work comes in slices, and says how far it is', async () => {
  const heard = [];
  function* work() {
    for (let at = 0; at < 5; at += 1) yield at;
    return 'done';
  }
  assert.equal(await inSlices(work(), 0, (one) => heard.push(one)), 'done');
  assert.deepEqual(heard, [0, 1, 2, 3, 4]);
  function* bad() {
    yield 1;
    throw new Error('no');
  }
  await assert.rejects(inSlices(bad(), 0, () => {}), /no/);
});
