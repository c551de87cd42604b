// SPEC 11.2 and 12.8: small proofs of a fault.

import { same, type Bytes } from "./bytes.js";
import { decode, Malformed } from "./encoding.js";
import type { Genesis } from "./genesis.js";
import { Blamed, Match, Refused, STRICT, type Blame } from "./match.js";
import * as ending from "./ending.js";
import { isBytes } from "./messages.js";
import { isSameRecord, isWellSigned, readEntry, readStatement, type Entry, type Statement } from "./records.js";

export type Frames = { kind: number; payload: Bytes }[];

/** What a proof proves; null: nothing. */
export function prove(genesis: Genesis, frames: Frames, before: Frames = []): Blame | null {
  const seats = genesis.keys.length;
  const read = ({ kind, payload }: Frames[number]): Entry | Statement | null =>
    kind === 2 ? readEntry(payload, seats) : kind === 3 ? readStatement(payload, seats) : null;
  const records = frames.map(read);
  if (records.length === 0 || records.includes(null)) return null;
  const sound = records as (Entry | Statement)[];
  if (before.length === 0 && sound.length === 2) {
    const blame = twoVersions(genesis, sound[0], sound[1]);
    if (blame !== null) return blame;
  }
  let match = new Match(genesis, { ...STRICT, excerpt: true });
  try {
    for (const frame of before) {
      match.admitRecord(read(frame)!);
      match = match.next;
    }
    for (const [i, record] of sound.entries()) {
      const isLast = i === sound.length - 1;
      if (match.play.end !== null && match.play.end.breach !== null) return null;
      match.isExcerptEnd = () => !isLast;
      try {
        match.admitRecord(record);
      } catch (error) {
        if (error instanceof Blamed && isLast) return error.blame;
        throw error;
      }
      match = match.next;
    }
  } catch (error) {
    if (error instanceof Blamed || error instanceof Refused) return null;
    throw error;
  }
  return match.forgotten ?? ending.shown(match);
}

function twoVersions(genesis: Genesis, version: Entry | Statement, other: Entry | Statement): Blame | null {
  if (version.record !== other.record || version.seat !== other.seat || isSameRecord(version, other)) return null;
  const [first, second] = [version, other].map((record) => (record.record === "entry" ? record.number : record.index));
  if (first !== second || !isWellSigned(genesis, version) || !isWellSigned(genesis, other)) return null;
  return { seat: version.seat, what: version.record, number: first, rule: "equivocation" };
}

/** 11.2: what is raised upon a PROOF in a transcript. */
export function judgeProof(match: Match, payload: Bytes): Blamed | Refused {
  const refused = new Refused("this proof proves nothing here");
  if (match.seats === 2) return refused;
  let value;
  try {
    value = decode(payload);
  } catch (error) {
    if (error instanceof Malformed) return refused;
    throw error;
  }
  if (!Array.isArray(value) || value.length !== 3) return refused;
  const [shared, head, records] = value;
  if (typeof shared !== "number" || !isBytes(head, 32) || !Array.isArray(records) || records.length < 1) return refused;
  const frames: Frames = [];
  for (const record of records) {
    if (!Array.isArray(record) || record.length !== 2) return refused;
    const [kind, bytes] = record;
    if ((kind !== 2 && kind !== 3) || !(bytes instanceof Uint8Array)) return refused;
    frames.push({ kind, payload: bytes });
  }
  if (match.play.end !== null && match.play.end.breach !== null) return refused;
  if (shared > match.count || !same(head, match.headAt(shared))) return refused;
  const blame = prove(match.genesis, frames, sharedRecords(match, shared));
  return blame === null ? refused : new Blamed(blame);
}

// The first entries of a chain, and the folds with what they rest on, as a proof holds them.
function sharedRecords(match: Match, shared: number): Frames {
  return match.chain.slice(0, shared).flatMap(({ entry, fold }) => {
    if (entry !== null) return [{ kind: 2, payload: entry.payload }];
    const beside = fold!.content.kind === "ACCEPT_DRAW" ? match.drawRestsOn(fold!) : [];
    return [...beside, fold!].map(({ payload }) => ({ kind: 3, payload }));
  });
}
