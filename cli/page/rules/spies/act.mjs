// A step of SPIES! under way, and the changes that steps are made of: the counterpart of p2p_stratego/spies/rules/act.py.

import {askToChoose, askToGive, askToOpen, askToShowCards, eachAlone, gameOver} from '../../verifier/record/asks.mjs';
import {winnersWithout} from '../../verifier/record/sides.mjs';
import {SPIES_DATA} from '../../game_data.mjs';
import {ActStopped, withAt} from '../acts.mjs';
import {carriedBy, NO_CITY, NOTHING_ON_IT} from './state.mjs';

const NO_PARTS = {spy: -1, secret: -1, city: -1, other: -1, face: -1, numbers: [], word: ''};

export class SpiesAct {
  constructor(state) {
    this.state = {...state, report: []};
  }

  change(changes) {
    this.state = {...this.state, ...changes};
  }

  /** Adds an event to the report. */
  tell(kind, power = -1, parts = {}) {
    this.change({report: [...this.state.report, {kind, power, ...NO_PARTS, ...parts}]});
  }

  spy(spy, changes) {
    this.change({spies: withAt(this.state.spies, spy, {...this.state.spies[spy], ...changes})});
  }

  secret(secret, changes) {
    this.change({secrets: withAt(this.state.secrets, secret, {...this.state.secrets[secret], ...changes})});
  }

  /** Action points, if it is the turn of `power`. */
  points(power, cost) {
    if (power === this.state.power) {
      this.change({ap: this.state.ap - cost});
    }
  }

  /** Pounds that everybody sees coming. */
  gain(power, pounds) {
    const {money, least} = this.state;
    this.change({money: withAt(money, power, money[power] + pounds), least: withAt(least, power, least[power] + pounds)});
  }

  /** A power's spy, police or drop controls a secret from now on. */
  control(secret, power, on) {
    const {owner, lost} = this.state.secrets[secret];
    const year = owner === power ? 0 : lost || this.state.year;
    this.secret(secret, {by: power, on, taken: [power, this.state.runs[power]], lost: year});
    this.#atHome(secret);
  }

  /** Nobody controls a secret any more. */
  release(secret) {
    this.secret(secret, {by: null, on: NOTHING_ON_IT});
    const {city, origin} = this.state.secrets[secret];
    if (city === origin) {
      this.secret(secret, {lost: 0});
    }
    this.#atHome(secret);
  }

  /** Back where it began, and under no spy, a secret counts as never carried away. */
  #atHome(secret) {
    const {city, origin, on} = this.state.secrets[secret];
    if (city === origin && on < 0) {
      this.secret(secret, {away: false});
    }
  }

  /** A secret goes with its spy. */
  carry(secret, city) {
    const {away, origin} = this.state.secrets[secret];
    this.secret(secret, {city, away: away || city !== origin});
  }

  #dropAll(spy) {
    const secret = carriedBy(this.state, spy);
    if (secret !== null) {
      this.release(secret);
    }
  }

  /** A spy comes to a haven, from the map or from a prison. */
  toHaven(spy, city) {
    this.#dropAll(spy);
    this.spy(spy, {where: 'map', city, captor: null, year: 0});
  }

  /** A spy is captured or killed. */
  offMap(spy, where, captor = null) {
    this.#dropAll(spy);
    this.spy(spy, {where, city: NO_CITY, captor, year: this.state.year});
  }

  /** Ends the game; to be thrown. */
  over(outcome) {
    this.change({phase: 'over', ended: outcome});
    return new ActStopped();
  }

  /** Ends the game because the player of `power` broke a rule; to be thrown. */
  breached(power, rule) {
    const seat = this.state.runs[power];
    this.change({power});
    return this.over(gameOver(winnersWithout(eachAlone(this.state.seats), seat), 'cheated', {seat, rule}));
  }

  /** New slots for cards that are shown. */
  copies(count) {
    const first = this.state.nextCopy;
    this.change({nextCopy: first + count});
    return Array.from({length: count}, (_, at) => first + at);
  }

  /** The answer of the player of `power`; null if it has left. */
  * chosen(power, options) {
    return yield askToChoose(this.state.runs[power], options);
  }

  /** The face of a spy, opened if it is closed. */
  * openSpy(spy) {
    const {face, slot} = this.state.spies[spy];
    if (face !== null) {
      return face;
    }
    const opened = yield askToOpen(slot);
    this.spy(spy, {face: opened});
    return opened;
  }

  /** The player of `power` sees a spy; the slot under which it reads it, null if all have seen it. */
  * showSpy(spy, power) {
    const {face, slot, power: own, seen} = this.state.spies[spy];
    const seat = this.state.runs[power];
    if (face !== null) {
      return null;
    }
    const known = this.state.runs[own] === seat ? slot : seen.find(([viewer]) => viewer === seat)?.[1];
    if (known !== undefined) {
      return known;
    }
    const [copy] = this.copies(1);
    yield askToShowCards([slot], seat, [copy]);
    if (this.state.gone.includes(seat)) {
      return null;
    }
    this.spy(spy, {seen: [...this.state.spies[spy].seen, [seat, copy]]});
    return copy;
  }

  /** The player of `power` sees a secret; the slot under which it reads it, null if all have seen it. */
  * showSecret(secret, power) {
    const {face, slot, holder, seen} = this.state.secrets[secret];
    const seat = this.state.runs[power];
    if (face !== null) {
      return null;
    }
    const known = holder === seat ? slot : seen.find(([viewer]) => viewer === seat)?.[1];
    if (known !== undefined) {
      return known;
    }
    if (holder === null) {
      yield askToGive([slot], seat);
      this.secret(secret, {holder: seat});
      return slot;
    }
    const [copy] = this.copies(1);
    yield askToShowCards([slot], seat, [copy]);
    this.secret(secret, {seen: [...this.state.secrets[secret].seen, [seat, copy]]});
    return copy;
  }
}

/** Chits of the cup: the number of the first of them by name. */
export function chitNamed(name) {
  return SPIES_DATA.chits.findIndex((chit) => chit.name === name);
}
