// Refusals of records (SPEC 12): only a Violation and an Equivocation name a culprit, who has signed the bytes.

/** Bytes that blame nobody: forged, repeated, or not for this place of this chain. */
export class Misplaced extends Error {
  /** `check`: the kind of check, of the roster, that has found it. */
  constructor(message, check = 'chain') {
    super(message);
    this.check = check;
  }
}

/** A seat signed, at its place in this chain, a record that the protocol or the rules forbid. */
export class Violation extends Error {
  /** `what`: 'entry' or 'statement'; `number`: the entry's, or the count of entries that the statement stands over. */
  constructor(seat, what, number, rule) {
    super(`Seat ${seat} broke a rule in ${what} ${number}: ${rule}.`);
    this.fault = {seat, what, number, rule};
  }
}

/** A seat signed two different entries, or statements, for one place. */
export class Equivocation extends Error {
  /** `number`: the entry's number, or the statement's index. */
  constructor(seat, what, number) {
    super(`Seat ${seat} signed two different versions of ${what} ${number}.`);
    this.fault = {seat, what, number, rule: 'equivocation'};
  }
}

/** The message just sent breaks the named rule; the seat that owed it signed it. */
export class Broken extends Error {
  constructor(rule) {
    super(rule);
    this.rule = rule;
  }
}
