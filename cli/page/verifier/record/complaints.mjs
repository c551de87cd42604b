// A COMPLAIN (SPEC 10.3; of a share of a key, spec/proofs.md, P8): with the viewer's secret everybody opens the box, and somebody is at fault.

import {equalBytes} from '../wire/bytes.mjs';
import {isBadShare} from '../decks/escrow.mjs';
import {firstFrom} from './endings.mjs';
import {holds} from './ledger.mjs';
import {Broken, Violation} from '../refusals.mjs';
import {publicKey, unseal} from '../crypto/sealed.mjs';
import {checkOpening} from '../crypto/hashes.mjs';

/** The fault that a COMPLAIN shows: of the owner, or else of its signer.  `signedAt`: the signer's entries. */
export function faultOfComplaint(table, {seat, count, content: [number, secret]}, signedAt) {
  const when = table.looks.has(number) ? table : table.unseen.get(number); // a TakeBack can cross it
  const look = when?.looks.get(number);
  const inTime = firstFrom(signedAt, count) === firstFrom(signedAt, number);
  if (look?.viewer === seat && number < count && inTime && equalBytes(publicKey(secret), look.viewerKey)) {
    const flaw = flawOf(table.genesis.id, when, look, secret, count);
    if (flaw !== null) {
      return new Violation(look.owner, 'entry', flaw.number, flaw.rule);
    }
  }
  return new Violation(seat, 'statement', count, 'false-complaint');
}

/** The fault that a COMPLAIN of a share shows: of the dealer, or else of its signer. */
export function faultOfShareComplaint({cards}, {seat, count, content: [number, shared, proof]}, signedAt) {
  const dealer = cards.dealsAt.get(number) ?? seat;
  const inTime = firstFrom(signedAt, count) === firstFrom(signedAt, number);
  if (dealer !== seat && number < count && inTime && isRightComplaint(cards, dealer, seat, shared, proof)) {
    return new Violation(dealer, 'entry', number, 'wrong-share');
  }
  return new Violation(seat, 'statement', count, 'false-complaint');
}

function isRightComplaint(cards, dealer, seat, shared, proof) {
  const deal = cards.deals.get(dealer);
  const [game, serial] = deal.ctx;
  try {
    return isBadShare({ctx: [game, serial, seat], key: cards.shareKeys.get(seat)}, deal, shared, proof);
  } catch (error) {
    if (error instanceof Broken) {
      return false;
    }
    throw error;
  }
}

/** The fault of a look's owner by the first `count` entries, `{rule, number}`, or null. */
function flawOf(game, {hidden, faces, ledger}, look, secret, count) {
  const opening = unseal(game, look, secret);
  if (opening === null) {
    return {rule: 'wrong-opening', number: look.number};
  }
  try {
    checkOpening(game, hidden.get(look.slot), look.slot, ...opening);
  } catch (error) {
    if (error instanceof Broken) {
      return {rule: error.rule, number: look.number};
    }
    throw error;
  }
  const opened = [...ledger.openedAt].filter(([, number]) => number < count).map(([slot]) => [slot, faces.get(slot)]);
  const shown = new Map([...opened, [look.slot, opening[0]]]);
  return (ledger.about.get(look.slot) ?? []).find((claim) => claim.number < count && !holds(claim, shown)) ?? null;
}
