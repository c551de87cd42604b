// The seats of two, three and four players of Spies & Lies (spec/spies-and-lies.md, section 5): which side each belongs
// to, and which missions it plays.  All other rules speak of sides and missions; here stands the seat that acts.

import {SPIES_AND_LIES_DATA} from '../../game_data.mjs';

/** The missions of the first of two mates, and of the second. */
export const FIRST_MISSIONS = SPIES_AND_LIES_DATA.missions.slice(0, 2);
export const SECOND_MISSIONS = SPIES_AND_LIES_DATA.missions.slice(2);

/** By side, its seats, the one with missions 1 and 2 first. @returns {number[][]} */
export function spiesAndLiesSides(seats) {
  return [0, 1].map((side) => [side, side + 2].filter((seat) => seat < seats));
}

/** The seats of a side, gone or not, of a seating `{seats, gone}`. */
export function matesOf(seating, side) {
  return spiesAndLiesSides(seating.seats)[side];
}

export function isTeam(seating, side) {
  return matesOf(seating, side).length > 1;
}

/** The side of a seat. */
export function sideOfSeat(seat) {
  return seat % 2;
}

/** The seat that a mission belongs to, gone or not. */
export function holderOf(seating, side, mission) {
  const mates = matesOf(seating, side);
  return mates[FIRST_MISSIONS.includes(mission) ? 0 : mates.length - 1];
}

/** The missions that belong to a seat, gone or not. */
export function missionsOf(seating, seat) {
  return SPIES_AND_LIES_DATA.missions.filter((mission) => holderOf(seating, sideOfSeat(seat), mission) === seat);
}

/** The other seat of its side, unless that is gone or there is none: then null. */
export function mateOf(seating, seat) {
  return matesOf(seating, sideOfSeat(seat)).find((other) => other !== seat && !seating.gone.includes(other)) ?? null;
}

/** The seat that acts for a mission: its holder, or the mate of a holder that is gone. */
export function playerOf(seating, side, mission) {
  const holder = holderOf(seating, side, mission);
  return (seating.gone.includes(holder) ? mateOf(seating, holder) : null) ?? holder;
}
