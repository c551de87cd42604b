// Tokens (spec/decks.md, D7): the other seats give them, so that one seat or all can read cards that nobody can alone.

import {joinBytes} from '../wire/bytes.mjs';
import {L} from '../crypto/curve.mjs';
import {LABEL_PROOF_TOKENS, LABEL_TOKEN_WEIGHT, LABEL_TOKEN_WEIGHTS} from '../wire/labels.mjs';
import {
  commitmentTo, hashToScalar, proverOf, receivedPoints, receivedScalars, requireHolds, requireLength, scalarBytes,
} from '../crypto/proofs.mjs';
import {combination, GENERATOR, POINT_BYTES} from '../crypto/ristretto.mjs';
import {unlessLeft} from '../record/scripts.mjs';

/** The tokens for the first points of cards; `checks`: whether their proof is checked now. @returns {Element[]} */
export function checkTokens({ctx, key}, firsts, bytes, proof, checks) {
  const tokens = receivedPoints(bytes);
  if (checks) {
    const [c, z] = receivedScalars(proof);
    const before = joinBytes(...firsts.map((first) => first.bytes));
    const root = scalarBytes(hashToScalar(LABEL_TOKEN_WEIGHTS, [ctx, key.bytes, before, bytes]));
    const weights = firsts.map((_, at) => hashToScalar(LABEL_TOKEN_WEIGHT, [root, at]));
    const weighted = (points, factor) => points.map((point, at) => [(factor * weights[at]) % L, point]);
    const sums = combination(...weighted(firsts, z), ...weighted(tokens, -c)).bytes;
    const statement = [ctx, key.bytes, before, bytes, commitmentTo(z, GENERATOR, c, key), sums];
    requireHolds(c === hashToScalar(LABEL_PROOF_TOKENS, statement), 'wrong-token');
  }
  return tokens;
}

/** A card without the tokens of other seats. */
function withoutTokens({a, b}, tokens) {
  return {a, b: tokens.reduce((left, token) => left.minus(token), b)};
}

/**
 * One message of each seat that has a token to give; returns each card without them.  `asked`: each card with the seat
 * that is to read it, null: all.
 */
export function* uncovered(table, asked) {
  const {cards, gone} = table;
  const given = asked.map(() => []);
  for (const seat of [...cards.keys.keys()]) {
    const places = asked.flatMap(({viewer}, at) => (viewer === seat ? [] : [at]));
    if (places.length === 0) {
      continue;
    }
    const firsts = places.map((at) => asked[at].card.a);
    const message = gone.has(seat) ? null : yield* unlessLeft({seat, kind: 'Tokens', decision: false});
    const tokens = message === null
      ? firsts.map((first) => combination([cards.released.get(seat), first]))
      : takenTokens(table, seat, firsts, message);
    places.forEach((at, place) => given[at].push(tokens[place]));
  }
  return asked.map(({card}, at) => withoutTokens(card, given[at]));
}

function takenTokens(table, seat, firsts, {tokens, proof}) {
  requireLength(tokens, POINT_BYTES * firsts.length);
  const taken = checkTokens(proverOf(table, seat), firsts, tokens, proof, table.checksProofs);
  table.cards.proofs += 1;
  return taken;
}
