// Claims about hidden slots (SPEC 10.2): made during play, settled when it is over.

const OPENINGS_OF_A_PART = 256;

/**
 * A claim of `seat`: each of `slots` shows one of `faces`; if `exactly`, together they show exactly `faces` or, of a Mix,
 * what the slots `sameAs` show.  `number`: the entry it came with; `rule`: the broken rule if it is false.
 * @typedef {{seat: number, rule: string, slots: number[], faces: number[], exactly: boolean, number: number,
 *   sameAs: number[]}} Claimed
 */

/** All claims of a match, and when each slot was opened. */
export class Ledger {
  /** @param {boolean} settles Whether claims are settled after play: not where decisions can be taken back. */
  constructor(settles) {
    this.settles = settles;
    /** @type {Claimed[]} */
    this.claims = [];
    /** By slot: the entry that opened it, without the openings of a REVEAL. */
    this.openedAt = new Map();
    /** By slot: the claims that speak of it, in their order. */
    this.about = new Map();
    /** The claims that are new, or of which a slot was opened, since `newlyBroken` looked at them. */
    this.unjudged = [];
    this.lastDue = [];
    this.lastBroken = null;
  }

  /** A ledger of so many first claims, with the slots that were opened first, so many. */
  first(claims, opened) {
    const copy = new Ledger(this.settles);
    this.claims.slice(0, claims).forEach((claim) => copy.add(claim));
    copy.openedAt = new Map([...this.openedAt].slice(0, opened));
    copy.unjudged = [];
    return copy;
  }

  /** @param {Claimed} claim Its number is not below those before. */
  add(claim) {
    this.claims.push(claim);
    this.unjudged.push(claim);
    for (const slot of allSlots(claim)) {
      if (!this.about.has(slot)) {
        this.about.set(slot, []);
      }
      this.about.get(slot).push(claim);
    }
  }

  /** Entry `number` opened `slot`; the first time counts. */
  open(slot, number) {
    if (!this.openedAt.has(slot)) {
      this.openedAt.set(slot, number);
    }
    this.unjudged.push(...(this.about.get(slot) ?? []));
  }

  /**
   * The earliest claim that the last entry disproved, or null; only what it can have changed is looked at, and
   * faces that entries opened alone: a REVEAL can cross entries.
   */
  newlyBroken(shown) {
    const unjudged = this.unjudged;
    this.unjudged = [];
    if (unjudged.length === 0) {
      return null;
    }
    const opened = {has: (slot) => this.openedAt.has(slot), get: (slot) => shown.get(slot)};
    const stands = (claim) => holds(claim, opened);
    return unjudged.every(stands) ? null : this.claims.find((claim) => !stands(claim));
  }

  /** The slots, ascending, that `seat` has to reveal if play ends after `count` entries; by the chain alone. */
  due(seat, count) {
    if (!this.settles) {
      return [];
    }
    const asked = `${count} ${this.claims.length} ${this.openedAt.size}`;
    const last = this.lastDue[seat];
    if (last?.asked === asked) {
      return last.slots; // asked for several times a record, of many slots
    }
    const slots = [...this.about]
      .filter(([slot, [claim]]) => claim.seat === seat && claim.number < count && !(this.openedAt.get(slot) < count))
      .map(([slot]) => slot)
      .sort((left, right) => left - right);
    this.lastDue[seat] = {asked, slots};
    return slots;
  }

  /** The slots of one part of what is due; none behind the last part. */
  part(seat, count, number) {
    return this.due(seat, count).slice(number * OPENINGS_OF_A_PART, (number + 1) * OPENINGS_OF_A_PART);
  }

  /** The earliest claim that these faces disprove, or null.  From call to call faces are only added. */
  broken(shown) {
    const asked = `${this.claims.length} ${shown.size}`;
    if (this.lastBroken?.asked !== asked) {
      const broken = this.claims.find((claim) => !holds(claim, shown)) ?? null;
      this.lastBroken = {asked, claim: broken};
    }
    return this.lastBroken.claim;
  }

  /** The number of claims that the faces of all their slots prove true. */
  settled(shown) {
    return this.claims.filter((claim) => allSlots(claim).every((slot) => shown.has(slot)) && holds(claim, shown)).length;
  }

  /** The seats with a claim that these faces disprove. @returns {Set<number>} */
  liars(shown) {
    return new Set(this.claims.filter((claim) => !holds(claim, shown)).map((claim) => claim.seat));
  }
}

/** All slots that settle a claim. */
function allSlots(claim) {
  return [...claim.slots, ...claim.sameAs];
}

/** How many of the faces in `some` have no like one among `others`, each taken once. */
function unmatched(some, others) {
  const left = new Map();
  for (const face of others) {
    left.set(face, (left.get(face) ?? 0) + 1);
  }
  return some.filter((face) => {
    left.set(face, (left.get(face) ?? 0) - 1);
    return left.get(face) < 0;
  }).length;
}

/** Whether a claim can be true, these faces being shown; a slot without a face can hide any. */
export function holds(claim, shown) {
  const facesOf = (slots) => slots.filter((slot) => shown.has(slot)).map((slot) => shown.get(slot));
  const faces = facesOf(claim.slots);
  if (!claim.exactly) {
    return faces.every((face) => claim.faces.includes(face));
  }
  if (claim.sameAs.length === 0) {
    return unmatched(faces, claim.faces) === 0;
  }
  // Each face on one side needs a like one on the other, shown or still hidden there.
  const others = facesOf(claim.sameAs);
  return unmatched(faces, others) <= claim.sameAs.length - others.length;
}
