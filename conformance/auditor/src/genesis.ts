// SPEC 5: the genesis, in the order of its checks.

import { hex, type Bytes } from "./bytes.js";
import { taggedValue, tagged, isPublicKey } from "./crypto/hashing.js";
import { decode, Malformed, type Value } from "./encoding.js";
import type { Game } from "./asks.js";
import { isBytes } from "./messages.js";
import { isNameable } from "./unicode32.js";

export type Genesis = {
  id: Bytes;
  game: Game;
  options: Map<string, number | string>;
  keys: Bytes[];
  names: string[];
  nonces: Bytes[];
  anchors: Bytes[];
  proofs: boolean;
  escrow: number;
  pace: number;
  clock: number[] | null;
  takebacks: boolean;
  /** By seat. */
  sides: number[];
};

/** Exit codes 65 and 50. */
export class Unreadable extends Error {}
export class Unsupported extends Error {}

const NO_INK = [
  [0x034f, 0x034f], [0x115f, 0x1160], [0x17b4, 0x17b5], [0x180b, 0x180f], [0x2800, 0x2800], [0x3164, 0x3164],
  [0xfe00, 0xfe0f], [0xffa0, 0xffa0], [0xe0100, 0xe01ef],
];

/** 5.1.9 and 5.1.10; the decoder has checked the normal form. */
export function isName(value: Value): value is string {
  if (typeof value !== "string") return false;
  const points = [...value].map((point) => point.codePointAt(0)!);
  if (points.length < 1 || points.length > 32) return false;
  return points.every((point, i) => {
    if (point === 0x20) return i > 0 && i < points.length - 1;
    return isNameable(point) && !NO_INK.some(([first, last]) => first <= point && point <= last);
  });
}

/** Raises `Unsupported` and `Unreadable` by 5.2, from the payload of a frame of kind 1. */
export function readGenesis(payload: Bytes, games: Map<string, Game>): Genesis {
  const damaged = new Unreadable("the genesis is damaged");
  let body: Value;
  try {
    body = decode(payload);
  } catch (error) {
    if (error instanceof Malformed) throw damaged;
    throw error;
  }
  if (!Array.isArray(body) || typeof body[0] !== "number") throw damaged;
  if (body[0] !== 2) throw new Unsupported("another version of the protocol");
  const [, name, version, options, seats, proofs, escrow, pace, ninth] = body;
  if (body.length < 7 || body.length > 9) throw damaged;
  if (typeof name !== "string" || !/^[\x00-\x7f]{1,32}$/.test(name) || !isRulesVersion(version)) throw damaged;
  const game = games.get(name);
  if (game === undefined) throw new Unsupported("another game");
  if (version !== game.version) throw new Unsupported("other rules of the game");
  const genesis = {
    id: tagged("genesis", payload),
    game,
    options: readOptions(options, game),
    ...readSeats(seats),
    proofs: proofs === 1,
    escrow: typeof escrow === "number" ? escrow : -1,
    ...readTime(body.length, pace),
    takebacks: body.length === 9,
  };
  const count = genesis.keys.length;
  const sides = game.sides(count);
  const isWhole =
    sides !== null &&
    (proofs === 0 || proofs === 1) &&
    (genesis.proofs || !game.needsProofs) &&
    (genesis.escrow === 0 || (game.needsProofs && genesis.escrow >= 2 && genesis.escrow <= count - 1)) &&
    (ninth === undefined || ninth === 1) &&
    (game.fits === undefined || game.fits(genesis.options, count));
  if (!isWhole) throw damaged;
  return { ...genesis, sides: sides! };

  function readOptions(value: Value, of: Game): Map<string, number | string> {
    if (!Array.isArray(value) || value.length !== of.options.length || value.length > 32) throw damaged;
    const read = new Map<string, number | string>();
    of.options.forEach((option, i) => {
      const pair = value[i];
      if (!Array.isArray(pair) || pair.length !== 2 || pair[0] !== option.name) throw damaged;
      const chosen = pair[1];
      if ((typeof chosen !== "number" && typeof chosen !== "string") || !option.allows(chosen)) throw damaged;
      read.set(option.name, chosen);
    });
    return read;
  }

  function readSeats(value: Value): { keys: Bytes[]; names: string[]; nonces: Bytes[]; anchors: Bytes[] } {
    const read = { keys: [] as Bytes[], names: [] as string[], nonces: [] as Bytes[], anchors: [] as Bytes[] };
    if (!Array.isArray(value)) throw damaged;
    for (const seat of value) {
      if (!Array.isArray(seat) || seat.length !== 4) throw damaged;
      const [key, who, nonce, anchor] = seat;
      if (!isBytes(key, 32) || !isPublicKey(key) || !isName(who) || !isBytes(nonce, 32) || !isBytes(anchor, 32)) throw damaged;
      read.keys.push(key);
      read.names.push(who);
      read.nonces.push(nonce);
      read.anchors.push(anchor);
    }
    for (const list of [read.keys, read.nonces, read.anchors]) {
      if (new Set(list.map(hex)).size !== list.length) throw damaged;
    }
    return read;
  }

  function readTime(length: number, value: Value): { pace: number; clock: number[] | null } {
    if (length === 7) return { pace: 0, clock: null };
    if (typeof value === "number") {
      if (value > 3 || (value === 0 && length === 8)) throw damaged;
      return { pace: value, clock: null };
    }
    if (!Array.isArray(value) || !value.every((item) => typeof item === "number")) throw damaged;
    const [first, second] = value as number[];
    const isClock =
      value.length === 2 ? first >= 10 && first <= 36_000 && second <= 600
      : value.length === 1 && first >= 5 && first <= 3_600;
    if (!isClock) throw damaged;
    return { pace: 0, clock: value as number[] };
  }
}

/** 5.1.1, 5.1.2. */
function isRulesVersion(value: Value): boolean {
  if (typeof value === "number") return true;
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [version, name, digest] = value;
  return (
    typeof version === "number" &&
    typeof name === "string" && name.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) &&
    isBytes(digest, 32)
  );
}

/** The head of a chain, or of a seat's statements, behind a body. */
export function headBehind(kind: "entry" | "statement", body: Bytes): Bytes {
  return tagged(kind, body);
}

/** 10.7.3: the head behind a statement that takes the place of an entry. */
export function headBehindFold(number: number, seat: number, previous: Bytes, statement: Bytes): Bytes {
  return taggedValue("entry", [number, seat, previous, statement]);
}
