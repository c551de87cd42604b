// The group of the cards, and the proofs about them (spec/decks.md).
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {fromHex, toHex} from '../../../cli/page/verifier/wire/bytes.mjs';
import {checkDeal, combinedSecret, isBadShare, readShare} from '../../../cli/page/verifier/decks/escrow.mjs';
import {checkTokens} from '../../../cli/page/verifier/decks/tokens.mjs';
import {LABEL_SHUFFLE_GENERATOR} from '../../../cli/page/verifier/wire/labels.mjs';
import {
  checkKey, checkMember, checkMoved, checkOpened, checkShuffled, hash512, isSecretOf, markerOf, MOVE_BYTES, OPENING_BYTES, receivedCards, receivedPoints,
  requireLength, shuffleBytes,
} from '../../../cli/page/verifier/crypto/proofs.mjs';
import {Broken} from '../../../cli/page/verifier/refusals.mjs';
import {combination, decodeElement, elementOfHash, GENERATOR} from '../../../cli/page/verifier/crypto/ristretto.mjs';
import {vectors} from './vectors.mjs';

test('points are those of RFC 9496, and no other bytes are one', () => {
  const {'multiples of G': multiples, 'bad points': bad, 'one-way map': map, generators, faces} = vectors('ristretto.json');
  multiples.forEach((hex, at) => assert.equal(toHex(combination([BigInt(at), GENERATOR]).bytes), hex));
  multiples.slice(1).forEach((hex) => assert.equal(toHex(decodeElement(fromHex(hex)).plus(GENERATOR).minus(GENERATOR).bytes), hex));
  bad.forEach(({point, why}) => assert.throws(() => receivedPoints(fromHex(point)), Broken, why));
  map.forEach(({digest, point}) => assert.equal(toHex(elementOfHash(fromHex(digest)).bytes), point));
  generators.forEach((hex, at) => assert.equal(toHex(elementOfHash(hash512(LABEL_SHUFFLE_GENERATOR, [at])).bytes), hex));
  faces.forEach(({face, point}) => assert.equal(toHex(markerOf(face).bytes), point));
});

function whoOf({game, serial, seat, key}) {
  return {ctx: [fromHex(game), serial, seat], key: receivedPoints(fromHex(key))[0]};
}

function dealOf(deal) {
  const [commitments, ephemeral, pads] = [deal.commitments, deal.ephemeral, deal.pads].map(fromHex);
  requireLength(ephemeral, 96);
  return checkDeal(whoOf(deal), deal.seats, deal.threshold, {commitments, ephemeral, pads});
}

const CHECKS = {
  keys: ({game, serial, seat, key, proof, earlier}) => {
    requireLength(fromHex(key), 32);
    requireLength(fromHex(proof), 64);
    checkKey([fromHex(game), serial, seat], fromHex(key), fromHex(proof), true);
    if (earlier.includes(key)) {
      throw new Broken('wrong-key');
    }
  },
  tokens: (vector) => {
    const firsts = vector.firsts.map((hex) => receivedPoints(fromHex(hex))[0]);
    requireLength(fromHex(vector.tokens), 32 * firsts.length);
    requireLength(fromHex(vector.proof), 64);
    checkTokens(whoOf(vector), firsts, fromHex(vector.tokens), fromHex(vector.proof), true);
  },
  deals: (vector) => dealOf(vector),
  shares: ({deal, seat, share}) => {
    requireLength(fromHex(share), 32);
    readShare(dealOf(deal), seat, fromHex(share));
  },
  openings: (vector) => {
    requireLength(fromHex(vector.proof), OPENING_BYTES);
    if (vector.face > 127) {
      throw new Broken('not-a-message');
    }
    checkOpened(whoOf(vector), receivedCards(fromHex(vector.card))[0], vector.face, fromHex(vector.proof));
  },
  moves: (vector) => {
    requireLength(fromHex(vector.moved), 64);
    requireLength(fromHex(vector.proof), MOVE_BYTES);
    const [card, moved] = [vector.card, vector.moved].map((hex) => receivedCards(fromHex(hex))[0]);
    checkMoved(whoOf(vector), card, receivedPoints(fromHex(vector.to))[0], moved, fromHex(vector.proof));
  },
  claims: (vector) => {
    requireLength(fromHex(vector.proof), 64 * vector.tuples.length);
    checkMember(whoOf(vector), receivedCards(fromHex(vector.cards)), vector.tuples.map((hex) => [...fromHex(hex)]), fromHex(vector.proof), vector.rule ?? 'the rule of the claim');
  },
  shuffles: (vector) => {
    const before = receivedCards(fromHex(vector.before));
    requireLength(fromHex(vector.after), 64 * before.length);
    requireLength(fromHex(vector.proof), shuffleBytes(before.length));
    checkShuffled(whoOf(vector), before, receivedCards(fromHex(vector.after)), fromHex(vector.proof));
  },
};

for (const [kind, check] of Object.entries(CHECKS)) {
  test(`proofs hold and fail as the vectors say: ${kind}`, () => {
    const {good, bad} = vectors('cards.json')[kind];
    good.forEach((vector) => check(vector));
    for (const {change, rule, why} of bad) {
      const [right] = good;
      assert.throws(() => check({...right, ...change}), (error) => error instanceof Broken && error.rule === rule, `${kind}: ${why}`);
    }
  });
}

test('complaints of shares blame the dealer or their signer, as the vectors say', () => {
  const {good, bad} = vectors('cards.json').complaints;
  const isRight = ({deal, point, proof, ...who}) => isBadShare(whoOf(who), dealOf(deal), fromHex(point), fromHex(proof));
  good.forEach((vector) => assert.equal(isRight(vector), true));
  for (const {change, why} of bad) {
    let right = false;
    try {
      right = isRight({...good[0], ...change});
    } catch (error) {
      assert.ok(error instanceof Broken, why);
    }
    assert.equal(right, false, why);
  }
});

test('a key that was given away is that of its secret, and two shares make it', () => {
  const {good, bad} = vectors('cards.json')['released keys'];
  good.forEach(({secret, key}) => assert.ok(isSecretOf(receivedPoints(fromHex(key))[0], fromHex(secret))));
  for (const {change, why} of bad) {
    const {secret, key} = {...good[0], ...change};
    const bytes = fromHex(secret);
    assert.equal(bytes.length === 32 && isSecretOf(receivedPoints(fromHex(key))[0], bytes), false, why);
  }
  const polynomial = (x) => 5n + 7n * x + 11n * x * x;
  assert.equal(combinedSecret(new Map([0, 2, 3].map((seat) => [seat, polynomial(BigInt(seat + 1))]))), 5n);
});
