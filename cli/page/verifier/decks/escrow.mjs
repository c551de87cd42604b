// A seat's key in shares (spec/decks.md, D12): t of the other seats together can give it to all, if the seat is gone.

import {littleEndian} from '../wire/bytes.mjs';
import {L} from '../crypto/curve.mjs';
import {LABEL_ESCROW_PAD, LABEL_PROOF_ESCROW} from '../wire/labels.mjs';
import {commitmentTo, hash512, hashToScalar, receivedPoints, receivedScalars, requireHolds, requireLength} from '../crypto/proofs.mjs';
import {combination, GENERATOR} from '../crypto/ristretto.mjs';
import {checkTokens} from './tokens.mjs';

const SCALAR_LENGTH = 32;

/**
 * The deal of a seat to all others, `{ctx, key, commitments, ephemeral, pads}`, pads by seat.
 * @param {{ctx: Array, key: Element}} dealer
 */
export function checkDeal(dealer, seats, threshold, {commitments, ephemeral, pads}) {
  requireLength(commitments, SCALAR_LENGTH * (threshold - 1));
  const points = receivedPoints(commitments);
  const [point] = receivedPoints(ephemeral.subarray(0, SCALAR_LENGTH));
  const [c, z] = receivedScalars(ephemeral.subarray(SCALAR_LENGTH));
  requireLength(pads, SCALAR_LENGTH * (seats - 1));
  const {ctx, key} = dealer;
  const statement = [ctx, key.bytes, commitments, point.bytes, commitmentTo(z, GENERATOR, c, point)];
  requireHolds(c === hashToScalar(LABEL_PROOF_ESCROW, statement), 'wrong-share');
  const others = Array.from({length: seats}, (_, seat) => seat).filter((seat) => seat !== ctx[2]);
  const bySeat = others.map((seat, at) => [seat, pads.subarray(SCALAR_LENGTH * at, SCALAR_LENGTH * (at + 1))]);
  return {ctx, key, commitments: points, ephemeral: point, pads: new Map(bySeat)};
}

/** Whether a number is the share of a seat in a deal. */
function isShare({key, commitments}, seat, share) {
  let power = 1n;
  const terms = commitments.map((commitment) => {
    power = (power * BigInt(seat + 1)) % L;
    return [power, commitment];
  });
  return combination([share, GENERATOR], [-1n, key], ...terms.map(([factor, point]) => [-factor, point])).isNothing;
}

/** The share that a seat released. */
export function readShare(deal, seat, data) {
  const [share] = receivedScalars(data);
  requireHolds(isShare(deal, seat, share), 'wrong-share');
  return share;
}

/**
 * Whether a receiver complains with reason of its share: true if the dealer cheated.  `who`: the receiver with its share
 * key; `shared`: the point that opens its pad, `proof`: that it does.  Throws Broken if that is not proved.
 */
export function isBadShare(who, deal, shared, proof) {
  const [point] = checkTokens(who, [deal.ephemeral], shared, proof, true);
  const [, , seat] = who.ctx;
  const mask = hash512(LABEL_ESCROW_PAD, [deal.ctx, seat, point.bytes]);
  const share = littleEndian(deal.pads.get(seat).map((byte, at) => byte ^ mask[at]));
  return share >= L || !isShare(deal, seat, share);
}

function inverseModL(number) {
  let [result, square] = [1n, ((number % L) + L) % L];
  for (let rest = L - 2n; rest > 0n; rest >>= 1n) {
    result = rest & 1n ? (result * square) % L : result;
    square = (square * square) % L;
  }
  return result;
}

/** The dealer's secret from the shares by seat of as many seats as the threshold (Lagrange, at 0). */
export function combinedSecret(shares) {
  let secret = 0n;
  for (const [seat, share] of shares) {
    let [above, below] = [1n, 1n];
    for (const other of shares.keys()) {
      if (other !== seat) {
        above = (above * BigInt(other + 1)) % L;
        below *= BigInt(other - seat);
      }
    }
    secret += share * above * inverseModL(below);
  }
  return secret % L;
}
