// The vocabulary between rulebooks and the referee.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {askToChoose, askToCommit, askToRoll, askTogether, gameOver} from '../../../cli/page/verifier/asks.mjs';

test('an outcome names its winners ascending and leaves the list it was given alone', () => {
  const winners = [1, 0];
  assert.deepEqual(gameOver(winners, 'together'), {winners: [0, 1], reason: 'together', breach: null});
  assert.deepEqual(winners, [1, 0]);
});

test('a step of a rulebook is a generator that is sent the answers', () => {
  function* turn() {
    const first = yield askToRoll(2);
    const [one, other] = yield askTogether([
      askToChoose(0, new Set(['rock', 'paper'])),
      askToChoose(1, new Set(['rock', 'paper'])),
    ]);
    yield askToCommit(first, [7], [1, 2]);
    return one === other ? gameOver([], 'draw') : gameOver([first], 'won');
  }
  const game = turn();
  assert.deepEqual(game.next().value, {kind: 'Roll', sides: 2});
  assert.equal(game.next(1).value.kind, 'Together');
  assert.deepEqual(game.next(['rock', 'paper']).value, {
    kind: 'Commit', seat: 1, slots: [7], faces: [1, 2], exactly: false,
  });
  assert.deepEqual(game.next(null).value, {winners: [1], reason: 'won', breach: null});
});
