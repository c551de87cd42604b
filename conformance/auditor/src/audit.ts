// SPEC 11 and 12: one transcript, and the verdict on it.

import { ascii, same, type Bytes } from "./bytes.js";
import { readFrame } from "./encoding.js";
import * as ending from "./ending.js";
import { readGenesis, Unreadable, Unsupported, type Genesis } from "./genesis.js";
import { Blamed, Match, Refused, STRICT, type Blame } from "./match.js";
import { GAMES } from "./games/all.js";
import type { Frames } from "./proof.js";

export type Verdict =
  | "complete" | "incomplete" | "cheated" | "equivocated" | "unresponsive" | "tampered" | "unsupported" | "unreadable";

export type Owes = { seat: number; message: string };

/** Seats are numbers here. */
export type Finding = {
  verdict: Verdict;
  genesis: Genesis | null;
  match: Match | null;
  entries: number;
  statements: number;
  owes: Owes | null;
  outcome: ending.Outcome | null;
  contested: number[];
  neverSettled: number[];
  silent: number[];
  fault: Blame | null;
  wrongAtRecord: number | null;
  torn: boolean;
  problem: string | null;
  /** The record that was not admitted, if it is whole. */
  refused: { kind: number; payload: Bytes } | null;
};

export const EXIT_CODES: Record<Verdict, number> = {
  complete: 0, incomplete: 10, cheated: 20, equivocated: 21, unresponsive: 31, tampered: 40, unsupported: 50, unreadable: 65,
};

const MOST_BYTES = 16 * 1024 * 1024;
const MOST_BYTES_WITH_PROOFS = 64 * 1024 * 1024;

type File = { genesis: Genesis; frames: Frames; damaged: boolean; torn: boolean };

/** Raises `Unreadable` and `Unsupported`. */
export function readFile(bytes: Bytes, what: "transcript" | "proof"): File {
  const start = ascii(`p2p-stratego ${what} 2\n`);
  if (bytes.length > MOST_BYTES_WITH_PROOFS) throw new Unreadable("it is too long");
  if (!same(bytes.subarray(0, start.length), start)) {
    const line = Buffer.from(bytes.subarray(0, 64)).toString("latin1");
    const version = new RegExp(`^p2p-stratego ${what} (0|[1-9][0-9]{0,17})\n`).exec(line);
    if (version !== null) throw new Unsupported(`version ${version[1]} of the format`);
    throw new Unreadable(`it is no ${what}`);
  }
  const first = readFrame(bytes, start.length);
  if (typeof first === "string" || first.kind !== 1) throw new Unreadable("the genesis is damaged");
  const genesis = readGenesis(first.payload, GAMES);
  if (bytes.length > MOST_BYTES && !genesis.proofs) throw new Unreadable("it is too long");
  const frames: Frames = [];
  let at = first.next;
  let [damaged, torn] = [false, false];
  while (at < bytes.length && !damaged && !torn) {
    const frame = readFrame(bytes, at);
    if (frame === "incomplete") {
      torn = true;
    } else if (frame === "damaged" || !(frame.kind === 2 || frame.kind === 3 || (frame.kind === 4 && genesis.keys.length > 2))) {
      damaged = true;
    } else {
      frames.push({ kind: frame.kind, payload: frame.payload });
      at = frame.next;
    }
  }
  return { genesis, frames, damaged, torn };
}

export type Every = { signature: boolean; proof: boolean };

/** The verdict on a transcript (12.1 to 12.4). Raises `Unreadable` and `Unsupported`. */
export function audit(bytes: Bytes, every: Every = { signature: false, proof: false }): Finding {
  const file = readFile(bytes, "transcript");
  return (every.signature ? null : auditQuickly(file, every.proof)) ?? judge(file);
}

// 12.4: only a verdict `complete` counts.
function auditQuickly(file: File, everyProof: boolean): Finding | null {
  if (file.damaged) return null;
  let finding: Finding;
  try {
    finding = judge(file, { signatures: false, proofs: everyProof, excerpt: false });
  } catch (error) {
    // P9: what cannot be computed without the proofs is judged with them.
    if (error instanceof Error) return null;
    throw error;
  }
  const { match, outcome } = finding;
  if (finding.verdict !== "complete" || match === null || outcome === null) return null;
  const isEndorsed = match.statements.every((mine) => {
    const last = mine[mine.length - 1];
    return (
      last !== undefined && match.isWellSigned(last) &&
      mine.some(({ content, count, head }) =>
        content.kind === "END" && count === match.count && same(head, match.headAt(count)) && ending.isNamed(outcome, content))
    );
  });
  return isEndorsed ? finding : null;
}

function judge({ genesis, frames, damaged, torn }: File, manner = STRICT): Finding {
  let match = new Match(genesis, manner);
  let blame: Blame | null = null;
  let problem: string | null = damaged ? "a record is damaged" : null;
  let at: number | null = damaged ? frames.length : null;
  let refused: Frames[number] | null = null;
  for (const [i, frame] of frames.entries()) {
    try {
      match.admit(frame.kind, frame.payload);
      match = match.next;
      if (match.forgotten !== null) {
        blame = match.forgotten;
        break;
      }
    } catch (error) {
      if (error instanceof Blamed) blame = error.blame;
      else if (error instanceof Refused) problem = error.message;
      else throw error;
      at = i;
      refused = frame;
      break;
    }
  }
  return { ...conclude(match, blame, problem, at), torn, refused };
}

/** 12.1 and 12.3, of all that was admitted and of what was not. */
export function conclude(match: Match, blame: Blame | null, problem: string | null, at: number | null): Finding {
  const common = {
    genesis: match.genesis,
    match,
    entries: match.count,
    statements: match.statements.reduce((sum, mine) => sum + mine.length, 0),
    contested: [] as number[],
    silent: [] as number[],
    neverSettled: ending.neverSettled(match),
    owes: owes(match),
    wrongAtRecord: null,
    torn: false,
    problem: null,
    refused: null,
    outcome: null,
    fault: null,
  };
  // 12.1.6.
  const fault = ending.shown(match) ?? blame;
  if (fault !== null && fault.rule === "equivocation") {
    return { ...common, verdict: "equivocated", fault, outcome: ending.afterFault(match, fault) };
  }
  if (fault !== null) return { ...common, verdict: "cheated", fault, outcome: ending.afterFault(match, fault) };
  if (problem !== null) return { ...common, verdict: "tampered", problem, wrongAtRecord: at };
  const outcome = ending.outcome(match);
  if (outcome !== null && outcome.reason !== "unresponsive") {
    return { ...common, verdict: "complete", outcome, owes: null };
  }
  const { end, contested } = ending.silence(match);
  if (outcome !== null) return { ...common, verdict: "unresponsive", outcome };
  if (end !== null) {
    return { ...common, verdict: "unresponsive", outcome: { winners: end.winners, reason: end.reason }, silent: end.silent };
  }
  return { ...common, verdict: "incomplete", contested };
}

/** The kit's `owed`: the next entry, null before every seat has agreed and once play is over. */
function owes(match: Match): Owes | null {
  const { owed } = match.play;
  if (!match.isAgreed() || owed === null || ending.playEnd(match) !== null) return null;
  return { seat: owed.seat, message: owed.kind };
}
