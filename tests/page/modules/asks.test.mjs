// The vocabulary between rulebooks and the referee.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {askToChoose, askToCommit, askToRoll, askTogether, gameOver} from '../../../cli/page/verifier/record/asks.mjs';
import {playScript} from '../../../cli/page/verifier/record/play.mjs';
import {PublicTable} from '../../../cli/page/verifier/record/table.mjs';

test('an outcome names its winners ascending and leaves the list it was given alone', () => {
  const winners = [1, 0];
  assert.deepEqual(gameOver(winners, 'together'), {winners: [0, 1], reason: 'together', breach: null});
  assert.deepEqual(winners, [1, 0]);
});

test('a step of a rulebook is a generator that is sent the answers', () => {
  function* turn() {
    const first = yield askToRoll(2);
    const [hand, other] = yield askTogether([
      askToChoose(0, new Set(['rock', 'paper'])),
      askToChoose(1, new Set(['rock', 'paper'])),
    ]);
    yield askToCommit(first, [7], [1, 2]);
    return hand === other ? gameOver([], 'draw') : gameOver([first], 'won');
  }
  const game = turn();
  assert.deepEqual(game.next().value, {kind: 'Roll', sides: 2});
  assert.equal(game.next(1).value.kind, 'Together');
  assert.deepEqual(game.next(['rock', 'paper']).value, {
    kind: 'Commit', seat: 1, slots: [7], faces: [1, 2], exactly: false,
  });
  assert.deepEqual(game.next(null).value, {winners: [1], reason: 'won', breach: null});
});

test('a moment to go back to costs the same however long the match is', () => {
  function* turn(round) {
    yield askToCommit(0, [...Array(10).keys()].map((at) => 10 * round + at), [1, 2]);
    yield askToChoose(1, new Set(['on']));
    return {round: round + 1, ended: null};
  }
  const rulebook = {setup: () => turn(0), turn: ({round}) => turn(round)};
  const players = [{anchor: new Uint8Array(32)}, {anchor: new Uint8Array(32)}];
  const table = new PublicTable({rulebook, options: new Map(), players, takebacks: true, id: new Uint8Array(32)}, false);
  const script = playScript(table);
  script.next();
  const items = [];
  for (let round = 0; round < 30; round += 1) {
    const digests = [...Array(10).keys()].map((at) => new Uint8Array(32).fill(at).fill(round, 1));
    script.next({digests});
    items.push(itemsIn(table.moment.sizes));
    script.next({move: 'on'});
  }
  assert.equal(table.hidden.size, 310 - 10);
  assert.equal(items.at(0), items.at(-1));
});

/** How many values stand in a plain object, to any depth of collections. */
function itemsIn(kept) {
  const parts = Object.values(kept);
  return parts.reduce((sum, part) => sum + (part instanceof Map || part instanceof Set ? part.size : 1), 0);
}
