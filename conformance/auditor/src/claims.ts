// SPEC 10.2: claims about closed slots, and when what is known of slots shows one to be false.

export type Claim = {
  /** The entry that it came with. */
  entry: number;
  seat: number;
  rule: string;
} & (
  | { about: "faces"; slots: number[]; faces: Set<number> }
  | { about: "exactly"; slots: number[]; faces: Map<number, number> }
  | { about: "mix"; slots: number[]; old: number[]; new: number[] }
);

export function count(items: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** 10.2.6 to 10.2.8, with the faces that are known of slots. */
export function isFalse(claim: Claim, known: (slot: number) => number | undefined): boolean {
  const shown = (slots: number[]) => slots.map(known).filter((face) => face !== undefined);
  if (claim.about === "faces") return shown(claim.slots).some((face) => !claim.faces.has(face));
  if (claim.about === "exactly") {
    return [...count(shown(claim.slots))].some(([face, times]) => times > (claim.faces.get(face) ?? 0));
  }
  const [old, fresh] = [shown(claim.old), shown(claim.new)];
  return unmatched(old, fresh) > claim.new.length - fresh.length || unmatched(fresh, old) > claim.old.length - old.length;
}

/** How many of `some` have no like one among `others`. */
function unmatched(some: number[], others: number[]): number {
  const left = count(others);
  let without = 0;
  for (const face of some) {
    const like = left.get(face) ?? 0;
    if (like > 0) left.set(face, like - 1);
    else without += 1;
  }
  return without;
}

/** The earliest claim that is false. */
export function firstFalse(claims: Claim[], known: (slot: number) => number | undefined): Claim | null {
  return claims.find((claim) => isFalse(claim, known)) ?? null;
}
