// The ends of a match of two by statements (SPEC 10): a draw, a resignation, and silence.  Pure bookkeeping over
// statements that the referee has checked.  It comes to the same for all who hold the same records, in any order.

const LAST_WORDS = new Set(['RESIGN', 'REVEAL', 'END', 'ACCEPT_DRAW']);

/** Whether a statement of this kind declares the match over for its seat. */
export function isLastWord(kind) {
  return LAST_WORDS.has(kind);
}

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

/** The ends that the statements of two seats amount to. */
export class Endings {
  /** @param {number[][]} decidedAt By seat, the numbers of its entries with decisions; the referee adds to them. */
  constructor(decidedAt) {
    this.decidedAt = decidedAt;
    this.offers = new Map();
    /** By offer: acceptances that came before it. */
    this.early = new Map();
    /** By claimant: its newest AWAY, with a receipt if one has it.  Of two seats it accuses the other one. */
    this.away = [null, null];
    this.resignations = [null, null];
    /** By seat: the first statement by which it declared the match over. */
    this.lastWords = [null, null];
    this.draw = false;
  }

  /** @param {import('./statements.mjs').Statement} statement */
  add(statement) {
    const {kind, seat} = statement;
    if (isLastWord(kind)) {
      this.lastWords[seat] ??= statement;
    }
    if (kind === 'AWAY') {
      this.#claim(statement);
    } else if (kind === 'RESIGN') {
      this.resignations[seat] ??= statement;
    } else if (this.resignations[seat] === null) { // a seat that resigned can neither offer a draw nor accept one
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
      if (offer !== undefined) {
        this.#accept(offer, statement);
      } else if (this.early.has(name)) {
        this.early.get(name).push(statement);
      } else {
        this.early.set(name, [statement]);
      }
    }
  }

  /** A draw is agreed if the other seat accepted it before it decided anything else behind the offer. */
  #accept(offer, acceptance) {
    const decided = this.decidedAt[acceptance.seat];
    const next = decided[firstFrom(decided, offer.count)];
    // `next` is undefined if there is none: then no comparison with it holds.
    if (acceptance.seat !== offer.seat && acceptance.count >= offer.count && !(next < acceptance.count)) {
      this.draw = true;
    }
  }

  #claim(statement) {
    const known = this.away[statement.seat];
    if (known === null || known.count < statement.count || receiptOf(known).length === 0) {
      this.away[statement.seat] = statement;
    }
  }

  /** An agreed draw, else the resignation over the shortest chain (of the lowest seat, if equal), or null. */
  get ended() {
    return this.possible()[0] ?? null;
  }

  /** The ends by word, as they can look to a seat that has only some of the statements known here; best first. */
  possible() {
    const resigned = this.resignations
      .filter((statement) => statement !== null)
      .sort((left, right) => left.count - right.count || left.seat - right.seat)
      .map(({seat}) => ({winners: [1 - seat], reason: 'resigned', breach: null}));
    return this.draw ? [{winners: [], reason: 'agreed-draw', breach: null}, ...resigned] : resigned;
  }

  /** The seat that an AWAY accuses which counts; of both, that of the lower seat; or null. @param {Waiting} waiting */
  saidAway(waiting) {
    if (this.contested(waiting)) {
      return null;
    }
    const claim = this.#standing(waiting).find((accusation) => this.#knew(accusation, waiting));
    return claim === undefined ? null : claim.content[0];
  }

  /** Whether the two seats accuse each other, so that neither is believed. @param {Waiting} waiting */
  contested(waiting) {
    const standing = this.#standing(waiting);
    return standing.some((claim) => {
      const other = this.away[claim.content[0]];
      if (other === null) {
        return false;
      }
      if (other.count === waiting.count) {
        return standing.includes(other) && this.#knew(claim, waiting) && this.#knew(other, waiting);
      }
      const signed = receiptOf(claim).length > 0 ? waiting.count : 0;
      return Math.max(waiting.seen[other.seat], signed) <= other.count;
    });
  }

  /** The AWAYs that nothing has answered, by claimant. */
  #standing(waiting) {
    return this.away.filter(
      (claim) => claim !== null && claim.count === waiting.count && waiting.owing.includes(claim.content[0]),
    );
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
