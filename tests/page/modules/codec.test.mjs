// Encoding and frames (SPEC 3), and texts by Unicode 3.2.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {fromBase64, fromHex, toHex} from '../../../cli/page/verifier/wire/bytes.mjs';
import {decode, encode, Malformed, MOST_BYTES, readFrame} from '../../../cli/page/verifier/wire/codec.mjs';
import {isName, isNormal, isText, lengthOf} from '../../../cli/page/verifier/wire/texts.mjs';
import {valueOf, vectors} from './vectors.mjs';

test('every good vector is read and written as it stands', () => {
  for (const {value, hex} of vectors('encoding.json').good) {
    assert.deepEqual(decode(fromHex(hex)), valueOf(value));
    assert.equal(toHex(encode(valueOf(value))), hex);
  }
});

test('every bad vector is refused', () => {
  for (const {hex, why} of vectors('encoding.json').bad) {
    assert.throws(() => decode(fromHex(hex)), Malformed, why);
  }
});

test('a value is refused by its length before anything of it is read', () => {
  assert.throws(() => decode(new Uint8Array(MOST_BYTES + 1)), Malformed);
  const claim = fromHex(`${'dc0100'.repeat(8)}`); // arrays that claim 256 items each
  assert.throws(() => decode(claim), Malformed);
});

test('all arrays together hold at most 4,096 values', () => {
  const full = Array(16).fill(Array(255).fill(0));
  assert.deepEqual(decode(encode(full)), full);
  for (const more of [[...full, 0], [...full, []], [full.slice(1), Array(255).fill([])]]) {
    assert.throws(() => decode(encode(more)), Malformed);
  }
  assert.equal(decode(encode([full.slice(1), Array(254).fill([])])).length, 2);
});

test('an integer beyond 2^53 − 1 is refused and the one below is exact', () => {
  assert.equal(decode(fromHex('cf001fffffffffffff')), Number.MAX_SAFE_INTEGER);
  assert.throws(() => decode(fromHex('cf0020000000000000')), Malformed);
  assert.throws(() => encode(2 ** 53), RangeError);
  assert.throws(() => encode(-1), RangeError);
});

test('frames are read, awaited and refused as the vectors say', () => {
  const {good, bad, 'longest payload': longest} = vectors('frames.json');
  for (const {kind, payload, hex} of good) {
    const frame = readFrame(fromHex(hex), 0);
    assert.equal(frame.kind, kind);
    assert.equal(toHex(frame.payload), payload);
    assert.equal(frame.end, hex.length / 2);
  }
  for (const {hex, error, why} of bad) {
    if (error === 'incomplete') {
      assert.equal(readFrame(fromHex(hex), 0), null);
    } else {
      assert.throws(() => readFrame(fromHex(hex), 0), Malformed, why);
    }
  }
  assert.equal(longest, MOST_BYTES);
});

test('a frame is read from the middle of a larger store', () => {
  const {kind, payload, hex} = vectors('frames.json').good[1];
  const store = fromHex(`ffffff${hex}00`).subarray(1);
  assert.deepEqual(readFrame(store, 2), {kind, payload: fromHex(payload), end: 2 + hex.length / 2});
});

test('texts are judged by Unicode 3.2, whatever the browser knows', () => {
  assert.ok(isNormal('é'));
  assert.ok(!isNormal('e\u0301'));
  assert.ok(isNormal('\u{1B05}\u{1B35}')); // composed by later data only
  assert.ok(isNormal('\u{11935}\u{11930}'));
  assert.ok(!isNormal('\u{2F868}')); // decomposed differently by 3.2, and by later data, but by both
  assert.ok(!isNormal('q\u0307\u0323')); // marks in another order
});

test('a long text, and a long row of marks, is refused before it is normalized', () => {
  assert.ok(isText('x'.repeat(2048)) && !isText('x'.repeat(2049)));
  assert.ok(isText('\u{1D400}'.repeat(2048)) && !isText('\u{1D400}'.repeat(2049)));
  for (const mark of ['\u0300', '\u0334', '\u0345', '\u{1D165}']) {
    assert.ok(isNormal(`q${mark.repeat(30)}q${mark.repeat(30)}`), mark);
    assert.ok(!isNormal(`q${mark.repeat(31)}`), mark);
  }
  assert.ok(isNormal(`q${'\u0300'.repeat(30)}\u0357${'\u0300'.repeat(30)}`)); // no mark by 3.2
  const normalize = String.prototype.normalize;
  String.prototype.normalize = () => assert.fail('normalized');
  try {
    for (const text of ['\u0300\u0334'.repeat(20_000), '\u0F73'.repeat(20_000), '\u0344'.repeat(31)]) {
      assert.ok(!isNormal(text));
    }
  } finally {
    String.prototype.normalize = normalize;
  }
});

test('a name shows all of itself', () => {
  for (const name of ['Ada', 'Zoë', '李', 'A b', 'x'.repeat(32), '\u{1D400}'.repeat(32)]) {
    assert.ok(isName(name), name);
  }
  for (const name of ['', ' Ada', 'Ada ', 'x'.repeat(33), 'A\u202Eb', 'A\u200Bb', 'A\u3164', 'a\nb', '\u{1F600}']) {
    assert.ok(!isName(name), name);
  }
  assert.equal(lengthOf('\u{1D400}a'), 2);
});

test('base 64 and hexadecimal digits are read strictly', () => {
  assert.deepEqual(fromBase64('AP8='), Uint8Array.of(0, 255));
  assert.throws(() => fromHex('0'), SyntaxError);
  assert.throws(() => fromHex('zz'), SyntaxError);
});
