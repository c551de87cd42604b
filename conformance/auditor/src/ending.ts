// SPEC 10 and 12.3: what a match comes to by the records that were admitted.

import { firstFalse, type Claim } from "./claims.js";
import type { Blame, Match } from "./match.js";
import type { Statement } from "./records.js";

export type Outcome = { winners: number[]; reason: string };

export function isNamed(outcome: Outcome, end: Outcome): boolean {
  return outcome.reason === end.reason && String(outcome.winners) === String(end.winners);
}

/** 10.7.1, 10.8.8: a seat that has gone, also with a draw. */
export function isGone(match: Match, seat: number): boolean {
  if (!match.isPresent(seat)) return true;
  if (!match.isDrawn()) return false;
  return match.statementsOf(seat, "RESIGN").some(({ count }) => count < match.count);
}

/** 10.2.1: the slots due of a seat over a count, ascending. */
export function due(match: Match, seat: number, count: number): number[] {
  if (match.genesis.takebacks || match.genesis.proofs) return [];
  const { claims, faces } = match.play.table;
  const slots = new Set<number>();
  for (const claim of claims) {
    if (claim.seat !== seat || claim.entry >= count) continue;
    for (const slot of claim.slots) {
      const open = faces.get(slot);
      if (open === undefined || open.entry >= count) slots.add(slot);
    }
  }
  return [...slots].sort((a, b) => a - b);
}

/** What openings and REVEALs have shown. */
function known(match: Match): (slot: number) => number | undefined {
  const revealed = new Map<number, number>();
  for (let seat = 0; seat < match.seats; seat += 1) {
    for (const { count, content } of match.statementsOf(seat, "REVEAL")) {
      const slots = due(match, seat, count).slice(256 * content.part);
      content.openings.forEach(({ face }, i) => revealed.set(slots[i], face));
    }
  }
  return (slot) => match.play.table.faces.get(slot)?.face ?? revealed.get(slot);
}

/** Two seats: the ends that words give (10.1.2, 10.1.3). */
export function endsByWord(match: Match): Outcome[] {
  const ends: Outcome[] = [];
  if (hasDraw(match)) ends.push({ winners: [], reason: "agreed-draw" });
  const resigned = [0, 1].flatMap((seat) => match.statementsOf(seat, "RESIGN")).sort((a, b) => a.count - b.count || a.seat - b.seat);
  for (const { seat } of resigned) ends.push({ winners: [1 - seat], reason: "resigned" });
  return ends;
}

// 10.1.2, 10.1.5.
function hasDraw(match: Match): boolean {
  return [0, 1].some((seat) => {
    const resigned = (by: number) => match.statementsOf(by, "RESIGN")[0]?.index ?? Infinity;
    return match.statementsOf(seat, "ACCEPT_DRAW").some(({ index, count, content }) => {
      if (content.by !== 1 - seat || index > resigned(seat)) return false;
      const offer = match.statementsOf(content.by, "OFFER_DRAW").find((other) => other.index === content.offer);
      if (offer === undefined || offer.index > resigned(content.by) || offer.count > count) return false;
      return !match.hasDecided(seat, offer.count, count);
    });
  });
}

/** 10.1: how play ended, claims aside; null while it goes on. */
export function playEnd(match: Match): Outcome | null {
  const { end } = match.play;
  if (end !== null) return { winners: end.winners, reason: end.reason };
  return match.seats === 2 ? (endsByWord(match)[0] ?? null) : null;
}

/** Whether the chain showed a breach, or a claim to be false. */
function isBroken(match: Match): boolean {
  const { end } = match.play;
  return end !== null && (end.breach !== null || end.claim !== null);
}

/** The seats that owe a REVEAL, ascending. */
export function owing(match: Match): number[] {
  if (playEnd(match) === null || isBroken(match) || match.play.end?.keyless != null) return [];
  const shown = known(match);
  return match.statements.flatMap((_, seat) =>
    !isGone(match, seat) && due(match, seat, match.count).some((slot) => shown(slot) === undefined) ? [seat] : [],
  );
}

/** Seats that have gone, whose claims stay open. */
export function neverSettled(match: Match): number[] {
  if (playEnd(match) === null || isBroken(match)) return [];
  return match.statements.flatMap((_, seat) => (isGone(match, seat) && due(match, seat, match.count).length > 0 ? [seat] : []));
}

/** 10.2.9: false claims, the earliest of each seat. */
function falseClaims(match: Match): Claim[] {
  if (match.play.end === null && match.seats > 2) return [];
  if (isBroken(match) || match.genesis.takebacks || match.genesis.proofs) return [];
  const shown = known(match);
  const claims = match.statements.map((_, seat) => firstFalse(match.play.table.claims.filter((claim) => claim.seat === seat), shown));
  const { claims: all } = match.play.table;
  return claims.filter((claim) => claim !== null).sort((a, b) => all.indexOf(a) - all.indexOf(b));
}

function claimBlame(claim: Claim): Blame {
  return { seat: claim.seat, what: "entry", number: claim.entry, rule: claim.rule };
}

/** 12.3.1: a breach or a false claim that the records show. */
export function shown(match: Match): Blame | null {
  const { end } = match.play;
  if (end !== null && end.breach !== null) {
    return { seat: end.breach.seat, what: "entry", number: match.count - 1, rule: end.breach.rule };
  }
  if (end !== null && end.claim !== null) return claimBlame(end.claim);
  const [claim] = falseClaims(match);
  return claim === undefined ? null : claimBlame(claim);
}

/** The outcome that section 10 gives, `unresponsive` aside; null if there is none yet. */
export function outcome(match: Match): Outcome | null {
  const ended = playEnd(match);
  if (ended === null) return null;
  const claims = falseClaims(match);
  if (claims.length > 0) return withoutSides(match, ended, claims.map(({ seat }) => seat));
  return owing(match).length === 0 ? ended : unrevealed(match, ended);
}

// 10.2.10, 10.2.11: a fault that is found when play is over.
function withoutSides(match: Match, ended: Outcome, seats: number[]): Outcome {
  const { sides } = match.genesis;
  const out = seats.map((seat) => sides[seat]);
  const winners =
    new Set(sides).size === 2 && seats.length > 0
      ? [...sides.keys()].filter((seat) => sides[seat] !== out[0])
      : ended.winners.filter((seat) => !out.includes(sides[seat]));
  return { winners, reason: "cheated" };
}

/** 12.1.7: the outcome once a seat is at fault. */
export function afterFault(match: Match, blame: Blame): Outcome {
  const ended = playEnd(match);
  if (ended === null) return match.play.fault(blame.seat);
  if (isBroken(match)) return ended;
  const seats = [blame.seat, ...falseClaims(match).map(({ seat }) => seat).filter((seat) => seat !== blame.seat)];
  return withoutSides(match, withheld(match, ended) ?? ended, seats);
}

// 10.13.2.
function unrevealed(match: Match, ended: Outcome): Outcome | null {
  const end = withheld(match, ended);
  return end?.reason === "unrevealed" ? end : null;
}

// 10.13, of three and more: the end by AWAYs against those that owe a REVEAL, or null.
function withheld(match: Match, ended: Outcome): Outcome | null {
  const owe = owing(match);
  if (match.seats === 2 || owe.length === 0) return null;
  const present = match.present.filter((seat) => !isGone(match, seat));
  const others = present.filter((seat) => !owe.includes(seat));
  const isCalled =
    present.length > 2
      ? others.length > 0 && others.every((seat) => owe.every((accused) => hasAccused(match, seat, accused)))
      : ofTwo(match, present).accused !== null;
  if (!isCalled) return null;
  const { sides } = match.genesis;
  const out = owe.map((seat) => sides[seat]);
  const winners = ended.winners.filter((seat) => !out.includes(sides[seat]));
  return { winners, reason: present.length > 2 && others.length > 1 ? "unrevealed" : "unresponsive" };
}

function hasAccused(match: Match, seat: number, accused: number): boolean {
  return match.statementsOf(seat, "AWAY").some(({ count, content }) => count === match.count && content.accused === accused);
}

export type Silent = Outcome & { silent: number[] };

/** An end by AWAYs alone (10.5.8 to 10.5.13, 10.9.7, 10.9.8, 10.13), or the seats that contest. */
export function silence(match: Match): { end: Silent | null; contested: number[] } {
  const present = match.seats === 2 ? [0, 1] : match.present.filter((seat) => !isGone(match, seat));
  const { accused, contested } = present.length === 2 ? ofTwo(match, present) : { accused: null, contested: [] };
  const ended = match.seats === 2 ? null : playEnd(match);
  const end =
    ended !== null ? withheld(match, ended)
      : accused !== null ? winnersBeside(match, present, accused)
        : present.length > 2 ? bothSilent(match) : null;
  return { end: end === null ? null : { silent: [], ...end }, contested };
}

// 10.5.13, 10.9.8.
function winnersBeside(match: Match, present: number[], accused: number): Outcome {
  const { sides } = match.genesis;
  const left = new Set(present.filter((seat) => seat !== accused).map((seat) => sides[seat]));
  const winners = [...sides.keys()].filter((seat) => (match.seats === 2 ? seat !== accused : left.has(sides[seat])));
  return { winners, reason: "unresponsive" };
}

// 10.9.7.
function bothSilent(match: Match): Silent | null {
  const { owner, decider, accusers } = match.silence.partsAt(match.count)!;
  const isEnd = accusers.every((seat) => [owner, decider].every((accused) => hasAccused(match, seat, accused)));
  return isEnd ? { winners: [], reason: "unresponsive", silent: [owner, decider].sort((a, b) => a - b) } : null;
}

type Away = Statement & { content: { kind: "AWAY"; accused: number; receipt: Uint8Array | null } };

// 10.5.8 to 10.5.13: whom an AWAY that counts accuses, and the seats that contest.
function ofTwo(match: Match, present: number[]): { accused: number | null; contested: number[] } {
  const aways: Away[] = present.flatMap((seat) =>
    match.statementsOf(seat, "AWAY").filter(({ content }) => present.includes(content.accused)),
  );
  const standing = aways.filter((away) => stands(match, away));
  const contested = new Set<number>();
  for (const away of standing) {
    if (contests(match, away, aways)) {
      contested.add(away.seat);
      contested.add(away.content.accused);
    }
  }
  const [first] = standing
    .filter((away) => !contested.has(away.seat) && knew(match, away))
    .sort((a, b) => a.seat - b.seat || a.content.accused - b.content.accused);
  return { accused: first?.content.accused ?? null, contested: [...contested].sort((a, b) => a - b) };
}

// 10.5.8.
function stands(match: Match, { count, content }: Away): boolean {
  if (count !== match.count) return false;
  if (playEnd(match) !== null) return owing(match).includes(content.accused);
  return match.ownerAt(count) === content.accused;
}

// 10.5.9, 10.5.10.
function knew(match: Match, { count, content }: Away): boolean {
  const { accused } = content;
  const mine = match.statements[accused];
  const isByWord = match.seats === 2 && playEnd(match) !== null && match.play.end === null;
  if (isByWord) {
    return mine.some(({ content: { kind } }) => kind === "RESIGN" || kind === "ACCEPT_DRAW" || kind === "END" || kind === "REVEAL");
  }
  if (content.receipt !== null || mine.some((statement) => statement.count >= count)) return true;
  return count > 0 && match.chain[count - 1].entry?.seat === accused;
}

// 10.5.12, of x's AWAY against y.
function contests(match: Match, x: Away, aways: Away[]): boolean {
  const y = x.content.accused;
  const against = aways
    .filter((away) => away.seat === y && away.content.accused === x.seat && away.count <= x.count)
    .sort((a, b) => b.count - a.count || Number(b.content.receipt !== null) - Number(a.content.receipt !== null));
  if (against.length === 0) return false;
  const [theirs] = against;
  if (theirs.count === x.count) return stands(match, theirs) && knew(match, x) && knew(match, theirs);
  if (x.content.receipt !== null && x.count > theirs.count) return false;
  const later = match.statements[y].some((statement) => statement.count > theirs.count);
  return !later && !match.chain.slice(theirs.count + 1).some(({ entry }) => entry?.seat === y);
}
