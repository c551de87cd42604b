// spec/spies.md, sections 7 and 10: pounds, and the proofs of those that are secret.

import { broken, type Part } from "../../asks.js";
import { range } from "./tables.js";
import type { World } from "./world.js";

const DIGITS = range(9);

export type Sum = {
  sign: 1 | -1;
  before: number[] | null;
  amount: number[] | null;
  constant: number;
  /** `no more`: what is left is nothing. */
  leavesNothing?: boolean;
};

/** Proves a sum digit by digit (10.5). The answer is the three slots of what is left. */
export function* prove(w: World, seat: number, { sign, before, amount, constant, leavesNothing }: Sum): Part<number[]> {
  const slots = yield* hide(w, seat, 5);
  const [after, carries] = [slots.slice(0, 3), slots.slice(3)];
  const lowest = sign < 0 ? -1 : 0;
  const three = [lowest, lowest + 1, lowest + 2];
  for (const i of [0, 1, 2]) {
    const tuples: number[][] = [];
    for (const held of before === null ? [0] : DIGITS) {
      for (const moved of amount === null ? [0] : DIGITS) {
        for (const carry of i === 0 ? [0] : three) {
          const total = held + sign * moved + digit(constant, i) + carry;
          const [rest, over] = [modulo(total), Math.floor(total / 9)];
          if (!three.includes(over) || (i === 2 && over !== 0) || (leavesNothing && rest !== 0)) continue;
          tuples.push([
            ...(before === null ? [] : [held]),
            ...(amount === null ? [] : [moved]),
            ...(i === 0 ? [] : [carry - lowest]),
            rest,
            ...(i === 2 ? [] : [over - lowest]),
          ]);
        }
      }
    }
    const about = [before?.[i], amount?.[i], carries[i - 1], after[i], carries[i]].filter((slot) => slot !== undefined);
    if (tuples.length === 0) throw broken(seat, "overdrawn");
    yield { ask: "claimOneOf", seat, rule: "overdrawn", slots: about, tuples };
  }
  return after;
}

/** A seat lays digits. */
export function* hide(w: World, seat: number, number: number): Part<number[]> {
  const slots = w.newSlots("digit", number);
  yield { ask: "commit", seat, slots, faces: DIGITS, exactly: false, chosen: true };
  return slots;
}

function modulo(total: number): number {
  return ((total % 9) + 9) % 9;
}

function digit(constant: number, i: number): number {
  if (i === 2) return Math.floor(constant / 81);
  return modulo(Math.floor(constant / 9 ** i));
}

/** A power pays an amount that all see. */
export function* pay(w: World, power: number, pounds: number): Part<void> {
  const { purse, seat } = w.powers[power];
  if (purse.known >= pounds) {
    purse.known -= pounds;
    return;
  }
  purse.hidden = yield* prove(w, seat!, { sign: -1, before: purse.hidden, amount: null, constant: purse.known - pounds });
  purse.known = 0;
}

/** A power pays a hidden amount, or is paid it; `amount`: the slots in which its seat has it. */
export function* move(w: World, power: number, sign: 1 | -1, amount: number[]): Part<void> {
  const { purse, seat } = w.powers[power];
  purse.hidden = yield* prove(w, seat!, { sign, before: purse.hidden, amount, constant: purse.known });
  purse.known = 0;
}
