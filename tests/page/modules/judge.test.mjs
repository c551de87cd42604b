// When the page refuses to show its game, and how it words a verdict.
import assert from 'node:assert/strict';
import test from 'node:test';

import {namesOf, refusalOf, resultOf, rosterInWords, shareOf, toneOf, verdictSentence} from '../../../cli/page/view/judge.mjs';
import {inSlices} from '../../../cli/page/view/slices.mjs';
import {headline} from '../../../cli/page/view/view.mjs';
import {harmlessName} from '../../../cli/page/view/words.mjs';

const result = {
  status: 'complete', genesis: {id: 'aa', players: [{name: 'Ann'}, {name: 'Ben'}]}, outcome: {winners: [1]},
  shown: [{entry: 1}, {entry: 4}], culprit: null,
};
const expected = {sha256: 'dd', verdict: 'complete', id: 'aa', winners: [1], fault: null};
const say = (name, fields = {}) => [name, ...Object.values(fields)].join(':');

test('what fits is shown', () => {
  assert.equal(refusalOf(result, expected, 'dd', [1, 4]), '');
});

test('whatever does not fit is refused', () => {
  assert.equal(refusalOf(result, expected, 'de', [1, 4]), 'refused.changed');
  assert.equal(refusalOf({...result, genesis: null}, expected, 'dd', [1, 4]), 'refused.tampered');
  assert.equal(refusalOf({...result, status: 'tampered'}, {...expected, verdict: 'tampered'}, 'dd', [1, 4]), 'refused.tampered');
  assert.equal(refusalOf({...result, status: 'cheated'}, expected, 'dd', [1, 4]), 'refused.other');
  assert.equal(refusalOf(result, {...expected, id: 'ab'}, 'dd', [1, 4]), 'refused.other');
  assert.equal(refusalOf(result, {...expected, winners: [0]}, 'dd', [1, 4]), 'refused.other');
  assert.equal(refusalOf(result, {...expected, winners: null}, 'dd', [1, 4]), 'refused.other');
  assert.equal(refusalOf({...result, culprit: 0, place: {what: 'entry', number: 3}, rule: 'order'}, expected, 'dd', [1, 4]), 'refused.other');
  assert.equal(refusalOf(result, expected, 'dd', [1, 5]), 'refused.words');
  assert.equal(refusalOf(result, expected, 'dd', [1]), 'refused.words');
});

test('a verdict has words and a tone', () => {
  assert.equal(verdictSentence(result, say), 'verdict.complete outcome.won:Ben');
  const cheated = {...result, status: 'cheated', culprit: 0, place: {what: 'entry', number: 3}, rule: 'order'};
  assert.equal(verdictSentence(cheated, say), 'verdict.cheated fault:Ann:place.entry:3:rule.order');
  assert.equal(verdictSentence({...result, genesis: null, outcome: null, status: 'tampered'}, say), 'verdict.tampered');
  assert.deepEqual(['complete', 'incomplete', 'cheated', 'new'].map(toneOf), ['passed', 'warned', 'failed', 'failed']);
});

test('row 24: a name passes neither for a fingerprint nor for a sentence of the page', () => {
  for (const name of ['Ann', "O'Neill", 'Dr. Who', 'J. R. Hartley', 'Ada-Marie', '\u0627\u0644\u0633', 'x.y', '漢漢']) {
    assert.equal(harmlessName(name), name);
  }
  assert.equal(harmlessName('Ada [KY65-8MJ2-HT6Y-5JAT]'), '“Ada  KY658MJ2HT6Y5JAT”');
  assert.equal(harmlessName('KY65\u20138MJ2\u2013HT6Y'), '“KY658MJ2HT6Y”');
  assert.equal(harmlessName('Ben. Ada has won.'), '“Ben. Ada has won”');
  assert.equal(harmlessName('nobody. It is a draw.'), '“nobody It is a draw”');
  const named = {...result, genesis: {id: 'aa', players: [{name: 'Ann'}, {name: 'Ben] (checked)'}]}};
  assert.equal(verdictSentence(named, say), 'verdict.complete outcome.won:“Ben   checked”');
});

test('row 92: names and the result that the page shows are those of the record', () => {
  const names = namesOf(result, say);
  assert.deepEqual(names, ['Ann', 'Ben']);
  assert.deepEqual(namesOf({genesis: {players: [{name: 'Ann'}, {name: 'Ann'}]}}, say), ['Ann (seat.0)', 'Ann (seat.1)']);
  assert.equal(resultOf(result, names, say), 'headline.won:Ben:Ann');
  assert.equal(resultOf({...result, outcome: {winners: []}}, names, say).split(':')[0], 'headline.drew');
  for (const open of [{outcome: null}, {status: 'cheated'}, {status: 'unresponsive'}]) {
    assert.equal(resultOf({...result, ...open}, names, say).split(':')[0], 'headline.played');
  }
  const four = ['Ann', 'Ben', 'Chen', 'Dora'];
  const headlineOf = (winners) => resultOf({...result, outcome: {winners}}, four, say);
  assert.deepEqual([headlineOf([0, 2]), headlineOf([3])].map((text) => text.split('list').length), [3, 3]);
  assert.deepEqual([headlineOf([0, 2]), headlineOf([3]), headlineOf([])].map((text) => text.split(':')[0]), ['headline.won.many', 'headline.won', 'headline.drew.many']);
  const lies = {title: 'Stratego', names: ['Ben', 'Ann'], headline: 'Ann beat Ben', how: '', verdict: 'Ann has won'};
  const shown = JSON.stringify(headline(resultOf(result, names, say), lies, [...names, ...lies.names]));
  assert.ok(!shown.includes('beat'));
  assert.ok(shown.indexOf('Ben') < shown.indexOf('Ann'));
});

test('the roster is told by counts, with one form for one', () => {
  const counts = {entries: 9, signatures: 2, endorsed: 11, rolls: 1, decisions: 3, claims: 1, laid: 4, opened: 4, closed: 0};
  const names = ['file', 'chain', 'signatures', 'choices', 'commitments', 'claims', 'chance'];
  const checks = names.map((name) => ({name, state: 'passed', detail: ''}));
  const rows = rosterInWords({...result, counts, checks, size: 1234, torn: false}, 'en', (name) => name);
  assert.deepEqual(rows.map((check) => check.detail), [
    'detail.file', 'detail.chain', 'detail.signatures.endorsed', 'detail.choices', 'detail.commitments.final',
    'detail.claims.one', 'detail.chance.one',
  ]);
  const cut = rosterInWords({...result, status: 'incomplete', counts: {...counts, endorsed: 0}, checks, size: 1, torn: true}, 'en', (name) => name);
  assert.deepEqual(cut.map((check) => check.detail).filter((text) => !text.endsWith('.one')), [
    'detail.file.torn', 'detail.chain', 'detail.signatures', 'detail.choices', 'detail.commitments',
  ]);
  assert.equal(shareOf({done: 1, total: 3}), 33);
});

test('a check that failed says by whose fault, or where with nobody to blame', () => {
  const counts = {entries: 9, signatures: 2, endorsed: 0, rolls: 0, decisions: 1, claims: 0, laid: 4, opened: 4, closed: 0};
  const checks = [{name: 'choices', state: 'failed', detail: ''}];
  const fault = {culprit: 1, place: {what: 'statement', number: 4}, rule: 'false-end'};
  const detailOf = (more) => rosterInWords({...result, counts, checks, size: 9, torn: false, ...more}, 'en', say)[0].detail;
  assert.equal(detailOf({status: 'cheated', ...fault}), 'fault:Ben:place.statement:4:rule.false-end');
  assert.equal(detailOf({status: 'tampered', at: 6}), 'detail.failed:7');
});

test('long work comes in slices, and says how far it is', async () => {
  const heard = [];
  function* work() {
    for (let at = 0; at < 5; at += 1) yield at;
    return 'done';
  }
  assert.equal(await inSlices(work(), 0, (share) => heard.push(share)), 'done');
  assert.deepEqual(heard, [0, 1, 2, 3, 4]);
  function* bad() {
    yield 1;
    throw new Error('no');
  }
  await assert.rejects(inSlices(bad(), 0, () => {}), /no/);
});
