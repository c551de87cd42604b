// SPEC 12.6: several copies of one match.

import { same } from "./bytes.js";
import { conclude, EXIT_CODES, type Finding, type Verdict } from "./audit.js";
import { Blamed, Match, Refused, STRICT, type Blame } from "./match.js";
import { isSameRecord, isWellSigned, readEntry, readStatement, type Entry, type Statement } from "./records.js";
import { isNamed, type Outcome } from "./ending.js";

type Signed = Entry | Statement;

export type Comparison = {
  verdict: "agree" | "together" | "equivocated" | "cheated" | "differ";
  exitCode: number;
  fault: Blame | null;
  together: Verdict | null;
  outcome: Outcome | null;
};

/** Of two or more copies, each with a match. */
export function compare(copies: Finding[]): Comparison {
  const seats = copies[0].genesis!.keys.length;
  const refused = copies.flatMap(({ refused: frame }) => {
    if (frame === null || frame.kind === 4) return [];
    const record = frame.kind === 2 ? readEntry(frame.payload, seats) : readStatement(frame.payload, seats);
    return record === null || !isWellSigned(copies[0].genesis!, record) ? [] : [record];
  });
  const admitted = copies.map((copy) => copy.match!.arrived);
  const versions = twoVersions(copies[0], [...admitted.flat(), ...refused]);
  if (versions !== null) return faulty(copies, versions);
  const contradictory = contradict(copies[0], admitted);
  const { finding, blame } = putTogether(copies, refused);
  const fault = finding.fault ?? blame ?? worst(copies);
  if (contradictory) {
    const alone = worst(copies);
    if (alone !== null) return faulty(copies, alone);
    return { verdict: "differ", exitCode: 40, fault: null, together: null, outcome: null };
  }
  if (fault !== null) return faulty(copies, fault, finding);
  return agreeing(copies, finding.verdict, finding.outcome);
}

// Rule 5. A copy that names another fault gives another end.
function agreeing(copies: Finding[], verdict: Verdict, outcome: Outcome | null, fault: Blame | null = null): Comparison {
  const ended = copies.filter((copy) => copy.outcome !== null);
  const agrees = ended.every(
    (copy) =>
      outcome !== null && isNamed(copy.outcome!, outcome) && (fault === null ? copy.fault === null : isSameBlame(copy.fault, fault)),
  );
  return { verdict: agrees ? "agree" : "together", exitCode: agrees ? 0 : EXIT_CODES[verdict], fault: null, together: verdict, outcome };
}

function isSameBlame(blame: Blame | null, other: Blame): boolean {
  return blame !== null && blame.seat === other.seat && blame.what === other.what && blame.number === other.number && blame.rule === other.rule;
}

function faulty(copies: Finding[], fault: Blame, finding: Finding | null = null): Comparison {
  const verdict = fault.rule === "equivocation" ? "equivocated" : "cheated";
  const alone = copies.find((copy) => isSameBlame(copy.fault, fault));
  if (alone !== undefined && verdict === "cheated") return agreeing(copies, verdict, alone.outcome, fault);
  const outcome = finding?.outcome ?? null;
  return { verdict, exitCode: EXIT_CODES[verdict], fault, together: verdict, outcome };
}

function placeOf(record: Signed): string {
  return record.record === "entry" ? `entry ${record.number}` : `statement ${record.seat} ${record.index}`;
}

function byPlace(records: Signed[]): Map<string, Signed[]> {
  const places = new Map<string, Signed[]>();
  for (const record of records) {
    const place = placeOf(record);
    const there = places.get(place) ?? [];
    if (!there.some((other) => isSameRecord(other, record) && same(other.signature, record.signature))) there.push(record);
    places.set(place, there);
  }
  return places;
}

// Rule 1.
function twoVersions(copy: Finding, records: Signed[]): Blame | null {
  const faults: Blame[] = [];
  for (const there of byPlace(records).values()) {
    if (there.length < 2) continue;
    const signed = there.filter((record) => isWellSigned(copy.genesis!, record));
    for (const record of signed) {
      if (!signed.some((other) => other.seat === record.seat && !isSameRecord(record, other))) continue;
      const number = record.record === "entry" ? record.number : record.index;
      faults.push({ seat: record.seat, what: record.record, number, rule: "equivocation" });
    }
  }
  return faults.sort(byRank)[0] ?? null;
}

// Rule 6.
function contradict(copy: Finding, admitted: Signed[][]): boolean {
  for (const there of byPlace(admitted.flat()).values()) {
    const bodies = there.filter((record, i) => !there.slice(0, i).some((other) => isSameRecord(other, record)));
    if (bodies.length < 2) continue;
    const signed = bodies.filter((body) => there.some((record) => isSameRecord(record, body) && isWellSigned(copy.genesis!, record)));
    if (signed.length < bodies.length) return true;
  }
  return false;
}

function byRank(a: Blame, b: Blame): number {
  const rank = ({ rule, what }: Blame) => (rule === "equivocation" ? 0 : 2) + (what === "entry" ? 0 : 1);
  return rank(a) - rank(b) || a.number - b.number || a.seat - b.seat || (a.rule < b.rule ? -1 : 1);
}

// Rule 4.
function worst(copies: Finding[]): Blame | null {
  const faults = copies.flatMap(({ fault, match }) => [fault, match!.forgotten]).filter((fault) => fault !== null);
  return faults.sort(byRank)[0] ?? null;
}

// Rules 2 and 3.
function putTogether(copies: Finding[], refused: Signed[]): { finding: Finding; blame: Blame | null } {
  const longest = copies.reduce((best, copy) => (copy.match!.count > best.match!.count ? copy : best)).match!;
  const known = [...copies.flatMap((copy) => copy.match!.arrived), ...refused];
  const quick = wholeAlready(copies, byPlace(known));
  if (quick !== undefined && refused.length === 0) return { finding: quick, blame: null };
  const signed = (record: Signed): Signed =>
    known.find((other) => isSameRecord(other, record) && isWellSigned(longest.genesis, other)) ?? record;
  let match = new Match(longest.genesis, STRICT);
  let blame: Blame | null = null;
  const admit = (record: Signed): boolean => {
    try {
      match.admitRecord(record);
      match = match.next;
      return true;
    } catch (error) {
      if (error instanceof Blamed) blame = error.blame;
      else if (!(error instanceof Refused)) throw error;
      return false;
    }
  };
  for (const record of longest.arrived) {
    if (!admit(signed(record)) && blame !== null) break;
  }
  const rest = longest.statements.map((_, seat) =>
    copies.reduce((most, copy) => (copy.match!.statements[seat].length > most.length ? copy.match!.statements[seat] : most), [] as Statement[]),
  );
  const others = known
    .filter((record) => record.record === "entry" && !longest.arrived.some((there) => isSameRecord(there, record)))
    .concat(refused);
  for (let moved = true; moved && blame === null; ) {
    moved = false;
    for (const [seat, most] of rest.entries()) {
      while (blame === null && match.statements[seat].length < most.length && admit(signed(most[match.statements[seat].length]))) moved = true;
    }
  }
  others.sort((a, b) => Number(a.record === "statement") - Number(b.record === "statement") || numberOf(a) - numberOf(b) || a.seat - b.seat);
  for (const record of others) {
    if (blame !== null) break;
    admit(record);
  }
  return { finding: conclude(match, blame ?? match.forgotten, null, null), blame };
}

// A copy that 12.4 calls complete, and that holds all records of all.
function wholeAlready(copies: Finding[], places: Map<string, Signed[]>): Finding | undefined {
  if (worst(copies) !== null || copies.some((copy) => copy.refused !== null)) return undefined;
  if ([...places.values()].some((versions) => versions.length > 1)) return undefined;
  return copies.find(({ match }) => !match!.manner.signatures && match!.arrived.length === places.size);
}

function numberOf(record: Signed): number {
  return record.record === "entry" ? record.number : record.index;
}
