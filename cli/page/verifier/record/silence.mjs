// The rules for a silent seat among three or more: pure decisions about one place of the chain (SPEC 10.9 to 10.12).
//
// A place is `{owner, present}`: the seat that owes the entry there, and all seats not gone before it.

const FEWEST = 3;

/** Whether enough seats are left to go on without the owner. */
export function isMany({present}) {
  return present.length >= FEWEST;
}

/** The highest present seat but the owner: it alone may sign a Gone. */
export function deciderOf({owner, present}) {
  return Math.max(...present.filter((seat) => seat !== owner));
}

/** The seats, ascending, of each of which a Gone needs an AWAY. */
export function accusersOf(place) {
  return place.present.filter((seat) => seat !== place.owner && seat !== deciderOf(place));
}

/** Whether `seat` may call `accused` away over a place. */
export function mayAccuse(place, seat, accused) {
  return isMany(place) && accusersOf(place).includes(seat) && [place.owner, deciderOf(place)].includes(accused);
}

/**
 * The first culprit of SPEC 10.12 at a place that its owner's own record takes, or null.  All are sets of seats:
 * @param {{owner: number, present: number[]}} place
 * @param {{away: Set<number>, backs: Set<number>, built: ?{seat: number, backs: Set<number>}, later: Set<number>,
 *   bare: Set<number>, gone: boolean}} known `away`: who has called the owner away; `backs`: who has said BACK; `built`:
 *   the first entry of another seat behind the record, and whose BACKs it carries; `later`: who has signed a statement
 *   over the record; `bare`: of these, whose first one shows not why the record stays; `gone`: whether there is a right
 *   Gone for the place.
 */
export function bothWays(place, {away, backs, built, later, bare, gone}) {
  if (!isMany(place)) {
    return null;
  }
  const backers = new Set([...backs, ...(built?.backs ?? [])]);
  const called = accusersOf(place).filter((seat) => away.has(seat));
  const liar = called.find((seat) => backers.has(seat));
  if (liar !== undefined) {
    return liar;
  }
  if (built !== null && called.includes(built.seat) && !isReleased(place, built)) {
    return built.seat;
  }
  const hasty = called.find((seat) => bare.has(seat));
  if (hasty !== undefined) {
    return hasty;
  }
  const decider = deciderOf(place);
  const signed = backers.has(decider) || later.has(decider) || built?.seat === decider;
  return gone && signed ? decider : null;
}

/** Whether the entry of an accuser carries the BACK of a present seat but the owner and itself. */
function isReleased({owner, present}, {seat, backs}) {
  return present.some((other) => other !== owner && other !== seat && backs.has(other));
}

/** Whether every accuser has accused both owner and decider of a place; `accused(seat, other)`: whether it did. */
export function areSilent(place, accused) {
  const both = [place.owner, deciderOf(place)];
  return isMany(place) && accusersOf(place).every((seat) => both.every((other) => accused(seat, other)));
}
