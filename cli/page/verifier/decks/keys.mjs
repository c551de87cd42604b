// The seats' keys for cards (spec/proofs.md, P5 and P7): sent before the first card, and had back once a seat is gone.

import {checkKey, contextOf, isSecretOf, proverOf, receivedPoints, requireLength} from '../crypto/proofs.mjs';
import {Broken} from '../refusals.mjs';
import {POINT_BYTES} from '../crypto/ristretto.mjs';
import {unlessLeft} from '../record/scripts.mjs';
import {checkDeal, combinedSecret, readShare} from './escrow.mjs';

/** `seat` is gone, and without its key no card of a deck can be read any more. */
export class KeyLost extends Error {
  constructor(seat) {
    super(`the key of seat ${seat} is lost`);
    this.seat = seat;
  }
}

/** Before the first card: a key of each seat; with an escrow then the shares of each. */
export function* keysScript(table) {
  const {cards, gone, genesis} = table;
  if (cards.asked) {
    return;
  }
  cards.asked = true;
  for (const seat of genesis.players.keys()) {
    const message = gone.has(seat) ? null : yield* unlessLeft({seat, kind: 'Keys', decision: false});
    if (message === null) {
      cards.withoutKey(seat);
    } else {
      takeKey(table, seat, message);
    }
  }
  if (genesis.escrow > 0 && cards.keysAt.size === genesis.players.length) {
    for (const seat of genesis.players.keys()) {
      const message = gone.has(seat) ? null : yield* unlessLeft({seat, kind: 'Escrowed', decision: false});
      if (message !== null) {
        cards.deals.set(seat, checkDeal(proverOf(table, seat), genesis.players.length, genesis.escrow, message));
        cards.dealsAt.set(table.number, seat);
        cards.proofs += 1;
      }
    }
  }
}

function takeKey(table, seat, {key, proof, shareKey}) {
  const {cards, genesis} = table;
  requireLength(shareKey, genesis.escrow > 0 ? POINT_BYTES : 0);
  if (genesis.escrow > 0) {
    cards.shareKeys.set(seat, receivedPoints(shareKey)[0]);
  }
  const element = checkKey(contextOf(table, seat), key, proof, table.checksProofs);
  const others = [...cards.keys.values()];
  const twice = others.some((other) => other.minus(element).isNothing);
  if (twice || others.reduce((sum, other) => sum.plus(other), element).isNothing) {
    throw new Broken('wrong-key');
  }
  cards.keys.set(seat, element);
  cards.sent.set(seat, element);
  cards.keysAt.set(seat, table.number);
  cards.proofs += 1;
}

/** Once a seat is gone: with an escrow the shares of others make its key public.  Throws KeyLost. */
export function* recoverKeys(table) {
  const {cards, gone, genesis: {escrow}} = table;
  for (;;) {
    const lost = [...gone.keys()].find((seat) => cards.keys.has(seat) && !cards.released.has(seat) && !cards.lost.has(seat));
    if (lost === undefined) {
      return;
    }
    const shares = cards.shares.get(lost) ?? new Map();
    cards.shares.set(lost, shares);
    const missing = [...cards.keys.keys()].filter((seat) => !gone.has(seat) && !shares.has(seat));
    if (!cards.deals.has(lost) || shares.size + missing.length < escrow) {
      doWithout(table, lost);
    } else if (shares.size >= escrow) {
      const lowest = [...shares].sort(([seat], [other]) => seat - other).slice(0, escrow);
      cards.released.set(lost, combinedSecret(new Map(lowest)));
    } else {
      const [seat] = missing;
      const message = yield* unlessLeft({seat, kind: 'Released', decision: false});
      if (message !== null) {
        shares.set(seat, readShare(cards.deals.get(lost), seat, message.share));
      }
    }
  }
}

/** A key that cannot be had: no card was under it, or its cards stay closed for ever, or the game ends. */
function doWithout(table, lost) {
  const {cards, hidden, genesis} = table;
  if (cards.decks.size === 0 && ![...hidden.values()].some(({seat}) => seat === lost)) {
    cards.withoutKey(lost);
  } else if (genesis.rulebook.needsProofs) {
    throw new KeyLost(lost);
  } else {
    cards.lost.add(lost);
  }
}

/** Whether a RESIGN carries the secret of its seat's key if it has to (P8), and else none. */
export function resignsRightly({cards, genesis}, {seat, count, content}) {
  const due = genesis.players.length > 2 && genesis.rulebook.needsProofs === true && cards.keysAt.get(seat) < count;
  return (content.length > 0) === due && (!due || isSecretOf(cards.sent.get(seat), content[0]));
}
