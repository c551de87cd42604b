// Genesis, messages, entries and statements (SPEC 5 and 7 to 9).
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {fromHex, joinBytes, toHex} from '../../../cli/page/verifier/wire/bytes.mjs';
import {decode, encode, Malformed} from '../../../cli/page/verifier/wire/codec.mjs';
import {isSigned} from '../../../cli/page/verifier/crypto/ed25519.mjs';
import {parseEntry, signatureOf} from '../../../cli/page/verifier/record/entries.mjs';
import {parseGenesis, Unsupported} from '../../../cli/page/verifier/record/genesis.mjs';
import {
  LABEL_ENTRY, LABEL_SIGN_ENTRY, LABEL_SIGN_STATEMENT, LABEL_STATEMENT,
} from '../../../cli/page/verifier/wire/labels.mjs';
import {parseMessage} from '../../../cli/page/verifier/wire/messages.mjs';
import {RULEBOOKS} from '../../../cli/page/rulebooks.mjs';
import {taggedHash} from '../../../cli/page/verifier/crypto/sha2.mjs';
import {parseStatement} from '../../../cli/page/verifier/record/statements.mjs';
import {valueOf, vectors} from './vectors.mjs';

function genesisOf(hex) {
  return parseGenesis(fromHex(hex), RULEBOOKS);
}

test('messages are told apart as the vectors say', () => {
  const {good, bad} = vectors('messages.json');
  good.forEach(({kind, hex}) => assert.equal(parseMessage(decode(fromHex(hex)))?.kind, kind));
  bad.forEach(({hex, why}) => assert.equal(parseMessage(decode(fromHex(hex))), null, why));
});

test('a genesis is read, and refused for the right reason', () => {
  const {bad, clocks, takebacks, 'a week for each decision': week} = vectors('genesis.json');
  for (const {body, id, clock = null} of [week, ...clocks]) {
    const genesis = genesisOf(body);
    assert.equal(toHex(genesis.id), id);
    assert.deepEqual(genesis.clock, clock);
  }
  assert.equal(genesisOf(week.body).pace, 3);
  assert.deepEqual([genesisOf(takebacks.body).takebacks, genesisOf(week.body).takebacks], [true, false]);
  assert.deepEqual(genesisOf(week.body).players.map(({name}) => name), week.players.map(({name}) => name));
  for (const {hex, error, why} of bad) {
    assert.throws(() => genesisOf(hex), error === 'unsupported' ? Unsupported : Malformed, why);
  }
});

test('names that mean something to JavaScript are names like any other', () => {
  const value = decode(fromHex(vectors('records.json').genesis.body));
  for (const name of ['__proto__', 'constructor', 'toString', 'prototype']) {
    const options = [...value[3], [name, 1]];
    const body = encode([...value.slice(0, 3), options, ...value.slice(4)]);
    assert.throws(() => genesisOf(toHex(body)), Malformed, name);
    const named = encode([value[0], name, ...value.slice(2)]);
    assert.throws(() => genesisOf(toHex(named)), Unsupported, name);
    assert.equal(parseMessage([name, 1]), null);
  }
  assert.deepEqual(Object.keys(Object.prototype), []);
});

test('every record of a match is read, signed and hashed as the vectors say', () => {
  const {genesis: {body}, records} = vectors('records.json');
  const genesis = genesisOf(body);
  for (const vector of records) {
    const isEntry = vector.record === 'entry';
    const payload = fromHex(vector.body + vector.signature);
    const record = (isEntry ? parseEntry : parseStatement)(payload);
    assert.equal(toHex(record.body), vector.body);
    assert.deepEqual(decode(record.body), valueOf(vector.value));
    assert.equal(toHex(taggedHash(isEntry ? LABEL_ENTRY : LABEL_STATEMENT, record.body)), vector['head after it']);
    const label = isEntry ? LABEL_SIGN_ENTRY : LABEL_SIGN_STATEMENT;
    const signed = joinBytes(genesis.id, record.body);
    assert.ok(isSigned(genesis.players[record.seat].key, label, signed, signatureOf(payload)));
  }
  assert.ok(records.length > 80);
});
