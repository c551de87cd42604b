// The ends of a match by statements (SPEC 10): a draw, a resignation, and silence.  Pure bookkeeping over statements that
// the referee has checked.  It comes to the same for all who hold the same records, in any order.

const LAST_WORDS = new Set(['RESIGN', 'REVEAL', 'END']);

/** The place in an ascending array of the first number that is not below `least`. */
export function firstFrom(numbers, least) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < least) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/**
 * Who keeps a match waiting.  `count`: the entries there are; `owing`: the seats that owe something; `seen`: by seat,
 * up to which count its signatures show that it has the entries; `endedByWord`: no head shows that play has ended.
 * @typedef {{count: number, owing: number[], seen: number[], endedByWord: boolean}} Waiting
 */

/** The ends that the statements of a match amount to. */
export class Endings {
  /** @param {number[][]} decidedAt By seat, the numbers of its entries with decisions; the referee adds to them. */
  constructor(decidedAt) {
    this.decidedAt = decidedAt;
    /** By author and index. */
    this.offers = new Map();
    /** By offer: acceptances that came before it. */
    this.early = new Map();
    /** By offer: all acceptances of it, and who accepted it while it stood. */
    this.accepted = new Map();
    this.willing = new Map();
    /** By claimant and accused: the newest AWAY; of equally new ones the first with a receipt. */
    this.away = new Map();
    /** By seat: its first RESIGN, and the first statement by which it declared the match over; or null. */
    this.resignations = decidedAt.map(() => null);
    this.lastWords = decidedAt.map(() => null);
    this.draw = false;
  }

  /** Whether a statement of this kind declares the match over; among more than two the others may decline a draw. */
  isLastWord(kind) {
    return LAST_WORDS.has(kind) || (kind === 'ACCEPT_DRAW' && this.decidedAt.length === 2);
  }

  /** @param {import('./statements.mjs').Statement} statement */
  add(statement) {
    const {kind, seat, index} = statement;
    if (this.isLastWord(kind)) {
      this.lastWords[seat] ??= statement;
    }
    if (kind === 'AWAY') {
      this.#claim(statement);
    } else if (kind === 'RESIGN') {
      this.resignations[seat] ??= statement;
    } else if (!(this.resignations[seat]?.index < index)) { // who resigned can neither offer a draw nor accept one
      this.#talkOfDraws(statement);
    }
  }

  #talkOfDraws(statement) {
    if (statement.kind === 'OFFER_DRAW') {
      const name = `${statement.seat} ${statement.index}`;
      this.offers.set(name, statement);
      (this.early.get(name) ?? []).forEach((acceptance) => this.#accept(statement, acceptance));
      this.early.delete(name);
    } else if (statement.kind === 'ACCEPT_DRAW') {
      const name = statement.content.join(' ');
      const offer = this.offers.get(name);
      this.accepted.set(name, [...(this.accepted.get(name) ?? []), statement]);
      if (offer !== undefined) {
        this.#accept(offer, statement);
      } else {
        this.early.set(name, [...(this.early.get(name) ?? []), statement]);
      }
    }
  }

  /** A draw of two is agreed if the other seat accepted it before it decided anything else behind the offer. */
  #accept(offer, {seat, count}) {
    if (count < offer.count || this.#decided(seat, offer.count, count)) {
      return;
    }
    const name = `${offer.seat} ${offer.index}`;
    const willing = (this.willing.get(name) ?? new Set()).add(seat);
    this.willing.set(name, willing);
    this.draw ||= [...willing].filter((other) => other !== offer.seat).length === this.decidedAt.length - 1;
  }

  /** Whether a seat decided in the entries from `start` to before `stop`: then an offer has lapsed. */
  #decided(seat, start, stop) {
    const decided = this.decidedAt[seat];
    return decided[firstFrom(decided, start)] < stop; // undefined if there is none: then no comparison holds
  }

  /**
   * By seat: the acceptances of an offer that stand over `count` entries (SPEC 10.8.2).  One over fewer has lapsed, and one
   * over more can come behind the draw itself: a proof of that draw cannot hold it.
   */
  #acceptances({seat, index}, count) {
    const accepted = this.accepted.get(`${seat} ${index}`) ?? [];
    return new Map(accepted.filter((acceptance) => acceptance.count === count).map((acceptance) => [acceptance.seat, acceptance]));
  }

  /**
   * Whether `last` can close a draw among three or more (SPEC 10.8): all other `present` seats have accepted it, or have
   * resigned, and nobody decided behind the offer.  `name`: author and index of the offer.
   */
  allOthersAgree(last, name, count, present) {
    const offer = this.offers.get(name);
    if (offer === undefined || count < offer.count || !present.includes(offer.seat)) {
      return false;
    }
    const asked = present.filter((seat) => seat !== offer.seat);
    if (asked.some((seat) => this.#decided(seat, offer.count, count))) {
      return false;
    }
    const accepted = this.#acceptances(offer, count);
    const somebody = last !== offer.seat || asked.some((seat) => accepted.has(seat));
    const home = this.resignedUntil(count);
    return somebody && asked.every((seat) => seat === last || accepted.has(seat) || home.includes(seat));
  }

  /** The statements on which a folded acceptance rests: the offer, other acceptances, resignations of those present. */
  agreedBy(last, present) {
    const offer = this.offers.get(last.content.join(' '));
    const others = [...this.#acceptances(offer, last.count).values()].filter(({seat}) => seat !== last.seat);
    const home = this.resignedUntil(last.count).filter((seat) => present.includes(seat)); // also those who accepted first
    return [offer, ...others, ...home.map((seat) => this.resignations[seat])];
  }

  /** The seats that have resigned over at most `count` entries, ascending. */
  resignedUntil(count) {
    return this.resignations.flatMap((word, seat) => (word !== null && word.count <= count ? [seat] : []));
  }

  #claim(statement) {
    const name = `${statement.seat} ${statement.content[0]}`;
    const known = this.away.get(name);
    if (known === undefined || known.count < statement.count || receiptOf(known).length === 0) {
      this.away.set(name, statement);
    }
  }

  /** Whether any seat has ever called another one away. */
  get accuses() {
    return this.away.size > 0;
  }

  /** Of two: an agreed draw, else the resignation over the shortest chain (of the lowest seat, if equal), or null. */
  get ended() {
    return this.possible()[0] ?? null;
  }

  /** The ends by word of two, as they can look to a seat that has only some of the statements; best first. */
  possible() {
    const seats = this.decidedAt.map((_, seat) => seat);
    const resigned = this.resignations
      .filter((statement) => statement !== null)
      .sort((left, right) => left.count - right.count || left.seat - right.seat)
      .map(({seat}) => ({winners: seats.filter((other) => other !== seat), reason: 'resigned', breach: null}));
    return this.draw ? [{winners: [], reason: 'agreed-draw', breach: null}, ...resigned] : resigned;
  }

  /** The seat that an AWAY accuses which counts; of several that of the lowest seat; or null. @param {Waiting} waiting */
  saidAway(waiting) {
    const mutual = this.contested(waiting);
    const claim = this.#standing(waiting).find((accusation) => (
      this.#knew(accusation, waiting) && !mutual.includes(accusation.seat)));
    return claim === undefined ? null : claim.content[0];
  }

  /** The two seats, ascending, that accuse each other, so that neither is believed; or none. @param {Waiting} waiting */
  contested(waiting) {
    const standing = this.#standing(waiting);
    const claim = standing.find((accusation) => {
      const other = this.away.get(`${accusation.content[0]} ${accusation.seat}`);
      if (other === undefined) {
        return false;
      }
      if (other.count === waiting.count) {
        return standing.includes(other) && this.#knew(accusation, waiting) && this.#knew(other, waiting);
      }
      const signed = receiptOf(accusation).length > 0 ? waiting.count : 0;
      return Math.max(waiting.seen[other.seat], signed) <= other.count;
    });
    return claim === undefined ? [] : [claim.seat, claim.content[0]].sort((left, right) => left - right);
  }

  /** The AWAYs that nothing has answered, by claimant, then by accused. */
  #standing(waiting) {
    return [...this.away.values()]
      .filter((claim) => claim.count === waiting.count && waiting.owing.includes(claim.content[0]))
      .sort((left, right) => left.seat - right.seat || left.content[0] - right.content[0]);
  }

  /** Whether the record shows that the accused knew what made it owe: the entries, or the end of play. */
  #knew(claim, waiting) {
    const accused = claim.content[0];
    if (waiting.endedByWord) {
      return this.lastWords[accused] !== null;
    }
    return waiting.seen[accused] >= waiting.count || receiptOf(claim).length > 0;
  }
}

/** The receipt in an AWAY, 0 or 64 bytes. */
export function receiptOf(away) {
  return away.content[2];
}
