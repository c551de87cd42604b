// Verdicts on whole transcripts (SPEC 10 to 12).
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {verify, verifying} from '../../../cli/page/verdict.mjs';
import {CUPS} from './cups.mjs';
import {vectorBytes, vectorNames, vectors, verdictOf} from './vectors.mjs';

const EXPECTED = vectors('transcripts/expected.json');

test('every transcript of the vectors has the verdict that is expected', () => {
  let judged = 0;
  for (const name of vectorNames('transcripts').filter((file) => file.endsWith('.p2ps'))) {
    const {match: _, ...expected} = EXPECTED[name];
    // Any other verdict is given by every signature in both ways.
    for (const everySignature of name.startsWith('complete-res') ? [false, true] : [false]) {
      const report = verify(vectorBytes(`transcripts/${name}`), {everySignature});
      if (report.status === 'unreadable' || report.status === 'unsupported') {
        assert.equal(report.status, expected.verdict, name);
        assert.equal(report.code, expected.exit_code, name);
      } else {
        assert.deepEqual(verdictOf(report), expected, name);
        judged += 1;
      }
    }
  }
  assert.ok(judged >= 150, String(judged));
});

// Of the matches with decks those that take least; `make thorough` judges all.
const USUAL = /-(two|escrow|shuffle|key|token|deal|complaint|left|shares|identity)\.p2ps$/;
const SLOW = /-left-escrow|-with-key|before-key/;

test('matches with decks have the verdict that is expected: shuffles, tokens, shares of keys', () => {
  const games = new Map([['cups', CUPS]]);
  const expected = vectors('decks/expected.json');
  const usual = (name) => USUAL.test(name) && !SLOW.test(name);
  const names = vectorNames('decks').filter((file) => (process.env.THOROUGH ? file.endsWith('.p2ps') : usual(file)));
  for (const name of names) {
    const {every_proof: every = null, match: _, ...quick} = expected[name];
    assert.deepEqual(verdictOf(verify(vectorBytes(`decks/${name}`), {games})), quick, name);
    if (every !== null) {
      const report = verify(vectorBytes(`decks/${name}`), {games, everySignature: true});
      assert.deepEqual({...verdictOf(report)}, {...quick, ...every}, name);
    }
  }
  assert.ok(names.length >= (process.env.THOROUGH ? 25 : 10), names.join());
});

test('a check can be made in slices, and tells how far it is', () => {
  const bytes = vectorBytes('transcripts/complete-flag.p2ps');
  const check = verifying(bytes);
  const steps = [];
  let step = check.next();
  for (; !step.done; step = check.next()) {
    steps.push(step.value);
  }
  assert.equal(steps.length, 81);
  assert.deepEqual(steps.at(-1), {done: bytes.length, total: bytes.length, name: 'records'});
  assert.ok(steps.every(({done}, at) => at === 0 || steps[at - 1].done < done));
  assert.deepEqual(step.value, verify(bytes));
});

test('the roster tells what was checked, and where a record failed', () => {
  const states = (name) => Object.fromEntries(
    verify(vectorBytes(`transcripts/${name}`)).checks.map((check) => [check.name, check.state]),
  );
  assert.ok(Object.entries(states('complete-flag.p2ps')).every(([name, state]) => (
    state === (['claims', 'proofs'].includes(name) ? 'open' : 'passed'))));
  assert.equal(states('tampered-signature.p2ps').signatures, 'failed');
  assert.equal(states('tampered-damaged.p2ps').file, 'failed');
  assert.equal(states('cheated-wrong-link.p2ps').chance, 'failed');
  assert.equal(states('cheated-illegal-choice.p2ps').choices, 'failed');
  assert.equal(states('cheated-breach.p2ps').rules, 'failed');
  assert.equal(states('incomplete-nothing.p2ps').consent, 'open');
});

test('a result holds the match: who plays, the entries, the states, and what lies open', () => {
  const {genesis, entries, shown, faces, counts} = verify(vectorBytes('transcripts/complete-flag.p2ps'));
  assert.equal(genesis.game, 'spies-and-lies');
  assert.deepEqual(genesis.players.map(({name}) => name), ['Ada', 'Ben']);
  assert.equal(entries.length, 77);
  assert.deepEqual(entries.slice(0, 2).map(({seat, message}) => [seat, message]), [[0, 'Share'], [1, 'Share']]);
  assert.ok(shown.length > 10 && shown.every(({entry}) => entry < entries.length));
  assert.equal(Object.keys(faces).length, counts.opened);
});

test('nothing that is handed in makes it throw', () => {
  for (const bytes of [null, undefined, 'text', 7, new Uint8Array(0), new Uint8Array(100), {length: 1e9}]) {
    assert.ok(['unreadable', 'failed'].includes(verify(bytes).status));
  }
});

test('an error of the rules is told as such, and is nobody\'s fault', () => {
  const broken = {
    name: 'spies-and-lies', version: 2, seatCounts: [2], mostRolls: 1,
    options: (wanted) => wanted,
    sides: () => [[0], [1]],
    * setup() {
      yield {kind: 'Roll', sides: 0};
    },
  };
  const report = verify(vectorBytes('transcripts/complete-flag.p2ps'), {games: new Map([[broken.name, broken]])});
  assert.equal(report.status, 'failed');
  assert.equal(report.culprit, null);
});
