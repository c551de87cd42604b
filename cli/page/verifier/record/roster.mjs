// The roster: every kind of check that a transcript has passed, failed, or not reached.

/** The kind of check that finds the breach of each rule of the protocol; a rule of a game belongs to `rules`. */
const CHECK_OF_RULE = new Map([
  ['no-consent-first', 'consent'],
  ['equivocation', 'chain'],
  ['out-of-turn', 'turns'],
  ['after-the-end', 'turns'],
  ['went-on', 'turns'],
  ['not-a-message', 'turns'],
  ['wrong-message', 'turns'],
  ['illegal-choice', 'choices'],
  ['false-takeback', 'choices'],
  ['wrong-count', 'commitments'],
  ['repeated-commitment', 'commitments'],
  ['wrong-opening', 'commitments'],
  ['impossible-face', 'commitments'],
  ['wrong-link', 'chance'],
  ['wrong-key', 'proofs'],
  ['wrong-shuffle', 'proofs'],
  ['wrong-move', 'proofs'],
  ['wrong-token', 'proofs'],
  ['wrong-share', 'proofs'],
  ['false-gone', 'end'],
  ['false-back', 'end'],
  ['false-away', 'end'],
  ['both-ways', 'end'],
  ['false-complaint', 'end'],
  ['false-end', 'end'],
]);

/**
 * The checks in their order: `{name, state, detail}`.  `state`: `passed`: all of it that stands before the first wrong
 * record is right; `failed`; `open`: nothing of it is there yet.
 */
export function rosterOf({counts, fault, refusal = null, outcome, size, torn, seats, signers}) {
  const failed = failedCheck(fault, refusal);
  const endorsed = counts.endorsed > 0;
  const rows = [
    ['file', true, `${size} bytes, the records in them whole by their checksums${torn ? '; the last one is cut' : ''}`],
    ['genesis', true, 'keys valid and different; versions and options known'],
    ['consent', counts.agreed === seats, `${counts.agreed} of ${seats} seats signed it`],
    ['chain', counts.entries > 0, `${counts.entries} entries, each naming the hash of the one before`],
    ['signatures', counts.signatures > 0, `${counts.signatures} verified${
      endorsed ? `; the last words of all seats cover the other ${counts.endorsed} records by their hashes` : ''}`],
    ['turns', counts.entries > 0, 'each entry from the seat that owed it, of the kind that was owed'],
    ['choices', counts.decisions > 0, `${counts.decisions} decisions, each among those that the rules offered`],
    ['commitments', counts.laid > 0, `${counts.laid} laid, ${counts.opened} opened and right, ${counts.closed} closed`],
    ['claims', counts.claims > 0, `${counts.claims} claims; ${counts.settled} shown to be true`],
    ['proofs', counts.proofs > 0, `${counts.proofs} proofs about cards; ${counts.proven} checked here`],
    ['chance', counts.rolls > 0, `${counts.rolls} rolls, from shares that everybody had committed to`],
    ['rules', counts.entries > 0, outcome ? `the game ended: ${outcome.reason}` : 'no breach so far'],
    ['end', counts.ends >= signers && counts.ends > 0, `signed by ${counts.ends} of ${seats} seats`],
  ];
  return rows.map(([name, reached, detail]) => {
    const state = name === failed ? 'failed' : (reached && 'passed') || 'open';
    return {name, state, detail};
  });
}

function failedCheck(fault, refusal) {
  if (fault !== null) {
    return CHECK_OF_RULE.get(fault.rule) ?? 'rules';
  }
  return refusal === null ? null : refusal.check ?? 'file';
}
