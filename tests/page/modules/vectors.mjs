// The test vectors of SPEC.md, as values.
import {readdirSync, readFileSync} from 'node:fs';

import {fromHex} from '../../../cli/page/verifier/wire/bytes.mjs';

const DATA = new URL('../../../conformance/vectors/', import.meta.url);

/** The content of a file of JSON. */
export function vectors(name) {
  return JSON.parse(readFileSync(new URL(name, DATA), 'utf-8'));
}

/** The bytes of a file. */
export function vectorBytes(name) {
  return new Uint8Array(readFileSync(new URL(name, DATA)));
}

/** The names of the files in a folder. */
export function vectorNames(folder) {
  return readdirSync(new URL(folder, DATA));
}

/** A value of the protocol: what stands in JSON as {"hex": …} is bytes. */
export function valueOf(stored) {
  if (Array.isArray(stored)) {
    return stored.map(valueOf);
  }
  return typeof stored === 'object' ? fromHex(stored.hex) : typeof stored === 'string' ? stored : Number(stored);
}

/** The verdict of the page in the form that the vectors have. */
export function verdictOf(report) {
  const {status, code, counts, owed, outcome, contested, neverSettled, silent, culprit, place, rule, at, torn} = report;
  return {
    verdict: status,
    exit_code: code,
    entries: counts.entries,
    statements: counts.statements,
    owed: owed && {seat: owed.seat, message: owed.message},
    winners: outcome && outcome.winners,
    reason: outcome && outcome.reason,
    contested,
    never_settled: neverSettled,
    silent,
    fault: culprit === null ? null : {seat: culprit, ...place, rule},
    at_record: at,
    torn,
  };
}
