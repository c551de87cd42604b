// Diplomacy in SPIES! (spec/spies.md, section 7): a proposal in parts, and the trade that follows.

import {askToCommit, askToGive, askToShowCards} from '../../verifier/record/asks.mjs';
import {SPIES_DATA} from '../../game_data.mjs';
import {withAt} from '../acts.mjs';
import {freePieces, pieceNamed} from './chits.mjs';
import {cityNamed, RUSSIA} from './map.mjs';
import {ALL_DIGITS, PURSE_DIGITS, settlePurse, slotsFrom, takeOutChit} from './purse.mjs';
import {freePoliceIn, isBoundByPact, isIdlePower, isSameSeat, secretFrom, secretNameOf, UNDER_POLICE} from './state.mjs';

const BY_THE_POLICE = 'police';

/** Whether one power may open talks with another. */
export function mayTalk(state, power, other) {
  return !isSameSeat(state, power, other) && !isIdlePower(state, other) && !isBoundByPact(state, other)
    && !isBoundByPact(state, power);
}

/** Whether a power may give anything: russia may not while it is bid for. */
function mayGive({allocation}, power) {
  return power !== RUSSIA || allocation !== 'bid';
}

/** The terms that a proposal such as "propose 3 014 0 2" names: pounds null if the two alone know them; or null. */
function termsOf(move) {
  const parts = /^propose (\?|0|[1-9][0-9]{0,4}) (-|[0-9]+) (\?|0|[1-9][0-9]{0,4}) (0|[1-9][0-9]{0,4})$/.exec(move);
  if (parts === null) {
    return null;
  }
  const [, offered, places, wanted, number] = parts;
  const chits = places === '-' ? [] : [...places].map(Number);
  const ascending = chits.every((place, at) => at === 0 || chits[at - 1] < place);
  const pounds = (word) => (word === '?' ? null : Number(word));
  return ascending ? {offered: pounds(offered), chits, wanted: pounds(wanted), number: Number(number)} : null;
}

function isEmptyOffer({offered, chits, wanted, number}) {
  return offered === 0 && wanted === 0 && chits.length === 0 && number === 0;
}

/** Whether a power can name so many pounds for itself. */
function canName(state, power, pounds) {
  if (!mayGive(state, power)) {
    return pounds === 0;
  }
  return state.secret ? pounds === 0 || pounds === null : pounds !== null && pounds <= state.money[power];
}

/** The numbers of chits that can come back for so many given. */
function numbersFor(state, power, other, chits) {
  const [own, theirs] = [state.hands[power].length, state.hands[other].length];
  const most = mayGive(state, other) ? theirs : 0;
  return slotsFrom(0, most + 1).filter((number) => (
    (number <= chits || own - chits + number <= SPIES_DATA.hand) && (chits <= number || theirs - number + chits <= SPIES_DATA.hand)));
}

/** The first parts of a proposal that two powers can carry out, by what everybody can see. */
function proposalsOf(state, power, other) {
  const own = mayGive(state, power) ? state.hands[power].length : 0;
  return {
    has: (move) => {
      const terms = termsOf(move);
      return terms !== null && canName(state, power, terms.offered) && canName(state, other, terms.wanted)
        && terms.chits.every((place) => place < own)
        && numbersFor(state, power, other, terms.chits.length).includes(terms.number)
        && (!isEmptyOffer(terms) || transfersOf(state, power, other, []).length > 0);
    },
  };
}

/** Whether there is any proposal that one power can make to another. */
export function canPropose(state, power, other) {
  const own = mayGive(state, power) ? state.hands[power].length : 0;
  const pounds = [power, other].some((party) => mayGive(state, party) && (state.secret || state.money[party] > 0));
  const chits = slotsFrom(0, own + 1).some((count) => (
    numbersFor(state, power, other, count).some((number) => count > 0 || number > 0)));
  return pounds || chits || transfersOf(state, power, other, []).length > 0;
}

/** The secrets that may still be named, with the pieces that could take them; `named`: earlier ones. */
function transfersOf(state, power, other, named) {
  return [[power, other], [other, power]].filter(([giver]) => mayGive(state, giver)).flatMap(([giver, receiver]) => (
    state.secrets.flatMap(({by, where, on, owner}, secret) => {
      const handed = by === giver && where === 'map' && (on >= 0 || on === UNDER_POLICE);
      if (!handed || owner === giver || named.some((transfer) => transfer.secret === secret)) {
        return [];
      }
      return unnamedPieces(state, receiver, secret, named).map((piece) => ({giver, receiver, secret, piece}));
    })));
}

/** The pieces of a power beside a secret that control nothing and were not named. */
function unnamedPieces(state, power, secret, named) {
  const {city} = state.secrets[secret];
  const taken = named.filter((transfer) => transfer.receiver === power);
  const busy = taken.filter(({piece, secret: other}) => piece === BY_THE_POLICE && state.secrets[other].city === city).length;
  return freePieces(state, power, secret).filter((piece) => (
    piece === BY_THE_POLICE ? freePoliceIn(state, power, city) > busy : !taken.some((transfer) => transfer.piece === piece)));
}

function additionOf(state, power, {giver, secret, piece}) {
  return `${giver === power ? 'give' : 'want'} ${secretNameOf(state, secret)} ${piece}`;
}

/** A proposal and its answer. */
export function* tradeWith(act, power, other) {
  act.change({proposals: act.state.proposals + 1});
  const terms = termsOf((yield* act.chosen(power, proposalsOf(act.state, power, other))) ?? '');
  if (terms === null) {
    return;
  }
  const chits = terms.chits.map((place) => act.state.hands[power][place]);
  const amounts = yield* secretAmounts(act, power, other, terms);
  const named = yield* namedTransfers(act, power, other, terms);
  if (named === null) {
    return;
  }
  const answer = yield* act.chosen(other, new Set(['accept', 'decline']));
  if (answer === 'accept') {
    yield* tradePounds(act, power, other, terms, amounts);
    yield* tradeChits(act, power, other, chits, terms.number);
    for (const {secret, receiver, piece} of named) {
      act.control(secret, receiver, pieceNamed(piece));
      yield* act.showSecret(secret, receiver);
    }
  }
  const [given, got] = [power, other].map((giver) => named.filter((transfer) => transfer.giver === giver).length);
  const numbers = [terms.offered ?? -1, chits.length, given, terms.wanted ?? -1, terms.number, got];
  act.tell('trade', power, {other, numbers, word: answer === 'accept' ? '' : 'decline'});
}

/** The secrets that the proposer names, one after the other, until it is ready; null if it leaves. */
function* namedTransfers(act, power, other, terms) {
  const named = [];
  for (;;) {
    const transfers = transfersOf(act.state, power, other, named);
    const ready = named.length > 0 || !isEmptyOffer(terms);
    if (transfers.length === 0 && (!ready || !act.state.secret)) {
      return named;
    }
    const words = transfers.map((transfer) => additionOf(act.state, power, transfer));
    const addition = yield* act.chosen(power, new Set([...words, ...(ready ? ['ready'] : [])]));
    if (addition === null || addition === 'ready') {
      return addition && named;
    }
    const [word, city, piece] = addition.split(' ');
    const giver = word === 'give' ? power : other;
    const secret = secretFrom(act.state, cityNamed(city));
    named.push({giver, receiver: giver === power ? other : power, secret, piece});
  }
}

/** Secret pounds: the proposer lays them, and the other sees them; of both sums the slots of the two, or none. */
function* secretAmounts(act, power, other, {offered, wanted}) {
  const amounts = [];
  for (const pounds of [offered, wanted]) {
    if (pounds !== null) {
      amounts.push([[], []]);
      continue;
    }
    const slots = slotsFrom(act.state.nextPurse, PURSE_DIGITS);
    const copies = act.copies(PURSE_DIGITS);
    act.change({nextPurse: act.state.nextPurse + PURSE_DIGITS});
    yield askToCommit(act.state.runs[power], slots, ALL_DIGITS);
    yield askToShowCards(slots, act.state.runs[other], copies);
    amounts.push([slots, copies]);
  }
  return amounts;
}

/** Pounds change hands: each first pays what it gives. */
function* tradePounds(act, power, other, {offered, wanted}, amounts) {
  act.gain(power, -(offered ?? 0));
  act.gain(other, offered ?? 0);
  act.gain(other, -(wanted ?? 0));
  act.gain(power, wanted ?? 0);
  const [[given, givenSeen], [asked, askedSeen]] = amounts;
  if (given.length > 0) {
    yield* settlePurse(act, power, 0, given, -1);
  }
  if (asked.length > 0) {
    yield* settlePurse(act, other, 0, askedSeen, -1);
    yield* settlePurse(act, power, 0, asked, 1);
  }
  if (given.length > 0) {
    yield* settlePurse(act, other, 0, givenSeen, 1);
  }
}

/** Chits change hands unseen by all others. */
function* tradeChits(act, power, other, chits, number) {
  const back = [];
  while (back.length < number) {
    const hand = act.state.hands[other].filter((slot) => !back.includes(slot));
    const answer = yield* act.chosen(other, new Set(hand.map((slot) => `hand ${slot}`)));
    back.push(answer === null ? hand[0] : Number(answer.split(' ')[1]));
  }
  for (const [giver, receiver, slots] of [[power, other, chits], [other, power, back]]) {
    if (slots.length > 0) {
      yield askToGive(slots, act.state.runs[receiver]);
    }
    slots.forEach((slot) => takeOutChit(act, giver, slot));
    act.change({hands: withAt(act.state.hands, receiver, [...act.state.hands[receiver], ...slots])});
  }
}
