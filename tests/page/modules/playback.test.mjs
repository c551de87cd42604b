// The way of a viewer through a game, without a browser.
import assert from 'node:assert/strict';
import test from 'node:test';

import {SPEEDS, actionOfKey, bottomSeat, playbackOf, played, stayOf, viewerOf} from '../../../cli/page/view/playback.mjs';
import {openingStep} from '../../../cli/page/view/moments.mjs';

const after = (state, ...types) => types.reduce((now, type) => played(now, {type}), state);

test('a game opens at its end, or at the step that was asked for', () => {
  assert.equal(playbackOf(10, []).at, 9);
  assert.equal(playbackOf(10, [], 3).at, 3);
  for (const odd of [NaN, 1.5, undefined, '3', null]) assert.equal(playbackOf(10, [], odd).at, 9);
  assert.equal(playbackOf(10, [], 99).at, 9);
  assert.equal(playbackOf(10, [], -4).at, 0);
  assert.equal(playbackOf(1, []).at, 0);
});

test('steps stay within the game', () => {
  const state = playbackOf(3, [], 1);
  assert.equal(after(state, 'next', 'next', 'next').at, 2);
  assert.equal(after(state, 'back', 'back').at, 0);
  assert.equal(after(state, 'first').at, 0);
  assert.equal(after(state, 'last').at, 2);
  assert.equal(played(state, {type: 'to', at: 77}).at, 2);
});

test('events are reached in both directions; beyond the last one lies the end', () => {
  const state = playbackOf(20, [3, 7, 12], 0);
  assert.equal(after(state, 'event').at, 3);
  assert.equal(after(state, 'event', 'event').at, 7);
  assert.equal(after(state, 'event', 'event', 'event', 'event').at, 19);
  assert.equal(after(state, 'last', 'event back').at, 12);
  assert.equal(after(state, 'event', 'event back').at, 0);
});

test('autoplay goes to the end and stops there; a step by hand ends it', () => {
  let state = after(playbackOf(3, [], 0), 'toggle');
  assert.equal(state.playing, true);
  state = after(state, 'tick');
  assert.deepEqual([state.at, state.playing], [1, true]);
  state = after(state, 'tick');
  assert.deepEqual([state.at, state.playing], [2, false]);
  assert.equal(after(state, 'tick'), state);
  assert.deepEqual([after(state, 'toggle').at, after(state, 'toggle').playing], [0, true]);
  assert.equal(after(playbackOf(3, [], 0), 'toggle', 'next').playing, false);
  assert.equal(after(playbackOf(3, [], 0), 'toggle', 'faster', 'turn').playing, true);
  assert.equal(after(playbackOf(1, []), 'toggle').playing, false);
});

test('speeds have ends, and a faster one stays shorter', () => {
  let state = playbackOf(9, [4], 4);
  const stays = SPEEDS.map((_, speed) => stayOf(played(state, {type: 'speed', speed}), 100));
  assert.deepEqual([...stays].sort((stay, other) => other - stay), stays);
  assert.ok(stayOf(state, 100) > stayOf({...state, at: 3}, 100));
  for (let times = 0; times < 9; times += 1) state = after(state, 'faster');
  assert.equal(state.speed, SPEEDS.length - 1);
  assert.equal(played(state, {type: 'speed', speed: 99}), state);
});

test('a view puts its seat at the bottom, and turning the board turns that', () => {
  const state = playbackOf(9, []);
  const blue = played(state, {type: 'view', view: '1'});
  assert.deepEqual([bottomSeat(state), bottomSeat(blue), bottomSeat(after(blue, 'turn'))], [0, 1, 0]);
  assert.deepEqual([viewerOf(state), viewerOf(blue)], ['all', 1]);
  assert.equal(played(state, {type: 'view', view: '__proto__'}), state);
});

test('each seat of a table has eyes and a key, and the two behind them are all open and nobody', () => {
  const state = playbackOf(9, [], 0, 4, false);
  const keys = [1, 2, 3, 4, 5, 6].map((key) => played(state, actionOfKey(String(key), 4)));
  assert.deepEqual(keys.map(viewerOf), [0, 1, 2, 3, 'all', 'nobody']);
  assert.deepEqual(keys.map(bottomSeat), [0, 0, 0, 0, 0, 0]);
  assert.equal(actionOfKey('7', 4), null);
  const mates = playbackOf(9, [], 0, 4);
  assert.deepEqual([0, 1, 2, 3].map((view) => bottomSeat(played(mates, {type: 'view', view: String(view)}))), [0, 1, 0, 1]);
});

test('every key does something, and no other name is a key', () => {
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', ' ', '+', '-', '1', '2', '3', '4', 't']) {
    assert.notEqual(played(playbackOf(9, [2, 6], 4), actionOfKey(key)), null, key);
  }
  for (const key of ['constructor', '__proto__', 'toString', 'x', '']) assert.equal(actionOfKey(key), null);
  const state = playbackOf(9, []);
  assert.equal(played(state, {type: 'nonsense'}), state);
});

test('a game opens at its last step, unless that only began a day', () => {
  const [day, end] = [{ kind: 'day', seat: null }, { kind: 'end', seat: 0 }];
  assert.equal(openingStep([day, null, day]), 1);
  assert.equal(openingStep([day, null, end]), 2);
  assert.equal(openingStep([day]), 0);
});
