// Sides: the seats that win and lose together, each ascending (SPEC 2, 10.2.10 and 10.2.11).

/** The side of a seat. @param {number[][]} sides @returns {number[]} */
export function sideOf(sides, seat) {
  return sides.find((side) => side.includes(seat));
}

/** The only side with a seat left, or null; `gone` in the order of leaving: if nobody is left, the last one's counts. */
export function lastSide(sides, gone) {
  const left = sides.filter((side) => side.some((seat) => !gone.includes(seat)));
  if (left.length === 0) {
    return sideOf(sides, gone.at(-1));
  }
  return left.length === 1 ? left[0] : null;
}

/** The winners once `culprit` is proven to have broken a rule; `ranked`: the winners by the rules, if play was over. */
export function winnersWithout(sides, culprit, ranked = []) {
  const guilty = sideOf(sides, culprit);
  const winners = sides.length === 2 ? sides.find((side) => side !== guilty) : ranked;
  return winners.filter((seat) => !guilty.includes(seat)).sort((left, right) => left - right);
}

/**
 * The outcome if a seat is proven to have broken a rule.  `ended`: how play had ended before, or null; `liars`: after
 * play, the seats with a claim that is proven false.
 */
export function faultOutcome(sides, seat, rule, ended, liars = []) {
  const winners = winnersWithout(sides, seat, ended?.winners);
  const out = sides.length > 2 ? [...liars].flatMap((liar) => sideOf(sides, liar)) : [];
  return {winners: winners.filter((winner) => !out.includes(winner)), reason: 'cheated', breach: {seat, rule}};
}
