// Hashes, keys, signatures, commitments and chance (SPEC 2, 4 and 7).
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {test} from 'node:test';

import {P} from '../../../cli/page/verifier/crypto/field.mjs';
import {squaredOften} from '../../../cli/page/verifier/crypto/squares.mjs';
import {asciiBytes, fromHex, toHex} from '../../../cli/page/verifier/wire/bytes.mjs';
import {isSigned, readKey} from '../../../cli/page/verifier/crypto/ed25519.mjs?itself';
import {fingerprint} from '../../../cli/page/verifier/record/genesis.mjs';
import * as labels from '../../../cli/page/verifier/wire/labels.mjs';
import {isSound, publicKey, unseal} from '../../../cli/page/verifier/crypto/sealed.mjs';
import {sha256, sha512, taggedHash} from '../../../cli/page/verifier/crypto/sha2.mjs';
import {hideChoice, hideFace, linkBefore, tossed} from '../../../cli/page/verifier/crypto/hashes.mjs';
import {vectors} from './vectors.mjs';

test('hashes are those of another implementation, at every edge of a block', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 1000]) {
    const bytes = Uint8Array.from({length}, (_, at) => at * 7);
    assert.equal(toHex(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'));
    assert.equal(toHex(sha512(bytes)), createHash('sha512').update(bytes).digest('hex'));
  }
});

test('tagged hashes are those of the vectors', () => {
  const {hashes} = vectors('hashes.json');
  for (const {label, data, hash} of hashes) {
    assert.equal(toHex(taggedHash(label, fromHex(data))), hash);
  }
  const known = new Set(hashes.map(({label}) => label));
  const used = Object.values(labels).filter((label) => !/sign|sealed|proof|shuffle|token|escrow/.test(label));
  assert.deepEqual(used.filter((label) => !known.has(label)), []);
});

test('keys are taken and refused as the vectors say', () => {
  const {identities, 'good keys': good, 'bad keys': bad} = vectors('keys.json');
  for (const {key, fingerprint: known} of identities) {
    assert.ok(readKey(fromHex(key)));
    assert.equal(fingerprint(fromHex(key)), known);
  }
  good.forEach((key) => assert.ok(readKey(fromHex(key)), key));
  bad.forEach(({key, why}) => assert.equal(readKey(fromHex(key)), null, why));
});

test('signatures are taken and refused as the vectors say', () => {
  for (const {key, label, data, signature, valid, why} of vectors('keys.json').signatures) {
    const known = readKey(fromHex(key));
    assert.equal(known !== null && isSigned(known, label, fromHex(data), fromHex(signature)), valid, why);
  }
});

test('a changed bit of a signature, of its data or of its label makes it void', () => {
  const {key, label, data, signature} = vectors('keys.json').signatures.find(({valid}) => valid);
  const known = readKey(fromHex(key));
  for (const bit of [0, 100, 255, 256, 400, 511]) {
    const changed = fromHex(signature);
    changed[bit >> 3] ^= 1 << (bit & 7);
    assert.ok(!isSigned(known, label, fromHex(data), changed), `bit ${bit}`);
  }
  assert.ok(!isSigned(known, `${label} `, fromHex(data), fromHex(signature)));
  assert.ok(!isSigned(known, label, asciiBytes('something else'), fromHex(signature)));
  assert.ok(!isSigned(known, label, fromHex(data), fromHex(signature).subarray(1)));
});

test('commitments and hidden choices are those of the vectors', () => {
  const {good, choices, bad} = vectors('commitments.json');
  const digest = ({game, seat, slot, face, salt}) => toHex(hideFace(fromHex(game), seat, slot, face, fromHex(salt)));
  good.forEach((vector) => assert.equal(digest(vector), vector.digest));
  bad.forEach((vector) => assert.notEqual(digest(vector), vector.digest, vector.why));
  for (const {game, seat, serial, move, salt, digest: known} of choices) {
    assert.equal(toHex(hideChoice(fromHex(game), seat, serial, move, fromHex(salt))), known);
  }
});

test('chains and results of chance are those of the vectors', () => {
  const {chains, 'bad links': bad, results} = vectors('chance.json');
  for (const {seat, links} of chains) {
    links.slice(1).forEach((link, at) => assert.equal(toHex(linkBefore(seat, fromHex(link))), links[at]));
  }
  bad.forEach(({seat, link, previous, why}) => assert.notEqual(toHex(linkBefore(seat, fromHex(link))), previous, why));
  for (const {game, roll, sides, shares, result} of results) {
    if (BigInt(sides) <= 2n ** 32n) {
      assert.equal(tossed(fromHex(game), roll, shares.map(fromHex), Number(sides)), Number(result));
    }
  }
});

test('boxes of looks open as the vectors say', () => {
  const {good, bad, 'sound keys': sound, 'unsound keys': unsound} = vectors('sealed.json');
  const opened = ({game, viewer, owner, slot, serial, box, ...keys}) => {
    const look = {viewer, owner, slot, serial, key: fromHex(keys['sender key']), box: fromHex(box)};
    return unseal(fromHex(game), look, fromHex(keys['viewer secret']));
  };
  for (const vector of good) {
    assert.equal(toHex(publicKey(fromHex(vector['viewer secret']))), vector['viewer key']);
    const [face, salt] = opened(vector);
    assert.deepEqual([face, toHex(salt)], [vector.face, vector.salt]);
  }
  bad.forEach((vector) => assert.equal(opened(vector), null, vector.why));
  sound.forEach((key) => assert.ok(isSound(fromHex(key)), key));
  unsound.forEach(({key, why}) => assert.ok(!isSound(fromHex(key)), why));
});

test('many squares in doubles are those of BigInt', () => {
  const start = 0x7fffffffffffffffffffffffffffffff0123456789abcdef0123456789abcdefn;
  for (const number of [0n, 1n, 2n ** 24n - 1n, 2n ** 254n, start, P - 2n, P - 1n]) {
    let expected = number;
    for (let times = 1; times <= 60; times += 1) {
      expected = (expected * expected) % P;
      const squared = squaredOften(number, times);
      assert.ok(squared >= 0n && squared < 2n ** 265n);
      assert.equal(squared % P, expected, `${number}, ${times} times`);
    }
  }
});
