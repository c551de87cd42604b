// Bidding for russia in SPIES!, and how it changes hands (spec/spies.md, section 6).

import {askTogether, askToChoose, askToGive, askToMix} from '../../verifier/record/asks.mjs';
import {SPIES_DATA} from '../../game_data.mjs';
import {withAt} from '../acts.mjs';
import {RUSSIA} from './map.mjs';
import {MOST_POUNDS, payPounds, provedSum, slotsFrom} from './purse.mjs';
import {powersBySeat} from './state.mjs';

/** The pounds of a seat's powers together; with secret purses those that they surely have. */
function surePounds(state, seat) {
  return powersBySeat(state)[seat].reduce((sum, power) => sum + state.least[power], 0);
}

function bidsOf(state, seat, least) {
  const most = state.secret ? MOST_POUNDS : surePounds(state, seat);
  const bids = slotsFrom(least, Math.max(most + 1 - least, 0)).map((pounds) => `bid ${pounds}`);
  return new Set(state.secret && least > 0 ? [...bids, 'no more'] : bids);
}

/** All bid for russia; it changes hands, or stays. */
export function* bidForRussia(act) {
  let seats = powersBySeat(act.state).map((_, seat) => seat).filter((seat) => !act.state.gone.includes(seat));
  let [winner, price, tied, least] = [null, 0, seats, 0];
  while (seats.length > 0) {
    const bids = yield* bidOnce(act, seats, least);
    if (bids.length === 0) {
      break;
    }
    price = Math.max(...bids.map(({pounds}) => pounds));
    const top = price;
    tied = bids.filter(({pounds}) => pounds === top).map(({seat}) => seat);
    if (price === 0) {
      break;
    }
    if (tied.length === 1) {
      [winner] = tied;
      break;
    }
    seats = tied.filter((seat) => act.state.secret || surePounds(act.state, seat) > top);
    least = price + 1;
  }
  if (winner === null) {
    winner = act.state.runs[RUSSIA] ?? Math.min(...tied);
    price = 0;
  }
  yield* payForRussia(act, winner, price);
  act.tell('russia', RUSSIA, {other: winner, numbers: [price]});
  yield* handOverRussia(act, winner);
}

/** One round of bids, all shown at once, of the seats that bid: `{seat, pounds}`. */
function* bidOnce(act, seats, least) {
  const answers = yield askTogether(seats.map((seat) => askToChoose(seat, bidsOf(act.state, seat, least))));
  const bids = [];
  for (const [at, seat] of seats.entries()) {
    const answer = answers[at];
    if (answer === 'no more') {
      yield* provePounds(act, seat, least - 1, true);
    } else if (answer !== null) {
      const pounds = Number(answer.split(' ')[1]);
      bids.push({seat, pounds});
      if (pounds > surePounds(act.state, seat)) {
        yield* provePounds(act, seat, pounds, false);
      }
    }
  }
  return bids;
}

/** A seat proves that it has so many pounds; `nothing`: and no more. */
function* provePounds(act, seat, pounds, nothing) {
  const {money, purses} = act.state;
  const powers = powersBySeat(act.state)[seat];
  const base = powers.reduce((sum, power) => sum + money[power], 0) - pounds;
  const [before, amount = []] = powers.map((power) => purses[power]);
  yield* provedSum(act, {power: powers[0], base, before, amount, sign: 1}, nothing);
}

/** The winner pays from its own powers as it likes. */
function* payForRussia(act, seat, price) {
  const powers = powersBySeat(act.state)[seat];
  if (price === 0) {
    return;
  }
  if (powers.length === 1) {
    yield* payPounds(act, powers[0], price);
    return;
  }
  const {secret, money} = act.state;
  const shares = slotsFrom(0, price + 1).filter((pounds) => (
    secret || (pounds <= money[powers[0]] && price - pounds <= money[powers[1]])));
  const options = shares.map((pounds) => `pay ${pounds} ${price - pounds}`);
  const answer = yield* act.chosen(powers[0], new Set(options));
  for (const [at, pounds] of (answer ?? options[0]).split(' ').slice(1).map(Number).entries()) {
    if (pounds > 0) {
      yield* payPounds(act, powers[at], pounds);
    }
  }
}

/** Russia with all it has goes to a seat. */
export function* handOverRussia(act, seat) {
  const old = act.state.runs[RUSSIA];
  if (old === seat) {
    return;
  }
  const slots = hiddenOfRussia(act.state, old);
  act.change({runs: withAt(act.state.runs, RUSSIA, seat)});
  if (slots.length > 0) {
    yield askToGive(slots, seat);
  }
  act.change({secrets: act.state.secrets.map((lying) => (isHiddenOfRussia(lying, old) ? {...lying, holder: seat} : lying))});
  if (old === null) {
    yield* mixTiles(act, RUSSIA);
  }
  for (const secret of act.state.secrets.keys()) {
    const {by, where} = act.state.secrets[secret];
    if (by === RUSSIA && where === 'map') {
      yield* act.showSecret(secret, RUSSIA);
    }
  }
}

/** Nobody else knows which of a power's tiles are its coloured ones. */
export function* mixTiles(act, power) {
  const old = act.state.tiles[power];
  const tiles = slotsFrom(SPIES_DATA.slots.mixedTiles + 16 * power, old.length);
  yield askToMix(act.state.runs[power], old, tiles, SPIES_DATA.wrongTileRule);
  act.change({tiles: withAt(act.state.tiles, power, tiles)});
}

function isHiddenOfRussia({owner, holder, face}, seat) {
  return owner === RUSSIA && holder === seat && face === null;
}

/** The hidden slots of russia, ascending. */
function hiddenOfRussia({secrets, tiles, spies, police, hands, purses}, holder) {
  const there = ({power, face, where}) => power === RUSSIA && face === null && where !== 'reserve' && where !== 'lost';
  const cards = [...secrets.filter((lying) => isHiddenOfRussia(lying, holder)), ...spies.filter(there), ...police[RUSSIA]];
  const slots = [...cards.map(({slot}) => slot), ...tiles[RUSSIA], ...hands[RUSSIA], ...purses[RUSSIA]];
  return slots.sort((slot, other) => slot - other);
}
