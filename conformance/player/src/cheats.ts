// How to cheat: each by the word of SPEC for the fault, which the other side must find.

import type { Choose } from "../../auditor/build/asks.js";
import type { Bytes } from "../../auditor/build/bytes.js";
import type { Value } from "../../auditor/build/encoding.js";
import type { Owed } from "../../auditor/build/table.js";
import { StrategoPerson } from "./people.js";
import type { Player } from "./player.js";

const END = 6;
const [FLAG, BOMB] = [0, 11];
const NO_MOVE = "a move that nobody offered";

/** Each part answers null while there is no occasion. */
export type Cheat = {
  /** Payloads that are sent in the place of an entry. */
  entries?(player: Player, owed: Owed, honest: Value): Bytes[] | null;
  /** Entries that nobody asked for. */
  unasked?(player: Player): Bytes[] | null;
  choose?(player: Player, ask: Choose): string | null;
  /** The content of a statement, instead. */
  statement?(player: Player, kind: number, honest: Value[]): Value[] | null;
};

function draft({ seat: { copy, seat, key } }: Player, message: Value): Bytes {
  return copy.draft(seat, key, message);
}

/** Another message in the place of one of a kind. */
function instead(kind: Owed["kind"], other: (honest: Value[], player: Player) => Value | null): Cheat {
  return {
    entries(player, owed, honest) {
      const message = owed.kind === kind ? other(honest as Value[], player) : null;
      return message === null ? null : [draft(player, message)];
    },
  };
}

export const CHEATS = new Map<string, Cheat>([
  ["wrong-link", instead("Share", ([tag, link]) => [tag, (link as Bytes).map((byte) => byte ^ 1)])],
  ["repeated-commitment", instead("Commitments", ([tag], { seat: { copy, seat } }) => {
    const theirs = copy.match.chain.filter(({ owner }) => owner !== seat).map(({ entry }) => entry!.message as Value[]);
    return theirs.find(([other]) => other === tag) ?? null;
  })],
  ["wrong-opening", instead("Opening", ([tag, face, salt]) => [tag, (face as number) === 1 ? 2 : 1, salt])],
  ["illegal-choice", instead("Choice", ([tag]) => [tag, NO_MOVE])],
  ["equivocation", {
    entries: (player, owed, honest) =>
      owed.kind === "Choice" ? [draft(player, honest), draft(player, [1, NO_MOVE])] : null,
  }],
  ["out-of-turn", {
    unasked(player) {
      const { owed, end } = player.seat.copy.match.play;
      const isTheirs = end === null && owed!.kind === "Choice" && owed!.seat !== player.seat.seat;
      return isTheirs ? [draft(player, [1, NO_MOVE])] : null;
    },
  }],
  // The claim that comes with the first step of a piece (spec/stratego.md, 2); it is settled when play is over.
  ["bomb-or-flag-moved", {
    choose({ person }, ask) {
      if (!(person instanceof StrategoPerson && ask.options instanceof Set)) return null;
      return person.movesWith(ask, [FLAG, BOMB])[0] ?? null;
    },
  }],
  ["false-end", {
    statement: ({ seat: { seat } }, kind, [winners, reason]) =>
      kind === END ? [(winners as number[]).includes(seat) ? [] : [seat], reason] : null,
  }],
]);
