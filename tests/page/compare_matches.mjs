// Judges whole transcripts, and tells the first that Python judges otherwise or in which it sees another state.
//
// Standard input: a transcript a line, as tests/campaigns/page_matches.py writes them.  Standard output: how many
// agreed.  Exit code 1, and a sentence on standard error, after a difference.

import {createInterface} from 'node:readline';
import {isDeepStrictEqual} from 'node:util';

import {verify} from '../../cli/page/verdict.mjs';
import {verdictOf} from './modules/vectors.mjs';

/** By game: a state as Python writes it. */
const WRITTEN = {
  conquest: (state) => state,
  spies: (state) => state,
  'spies-and-lies': (state) => state,
  stratego: (state) => {
    const {trails, threats, history} = state.memory;
    return {...state, memory: {trails, threats, boards: history.list()}};
  },
};

function expectEqual(actual, wanted, what) {
  if (!isDeepStrictEqual(actual, wanted)) {
    throw new Error(`${what}\n  JavaScript: ${JSON.stringify(actual)}\n  Python:     ${JSON.stringify(wanted)}`);
  }
}

function compareMatch({game, data, expected, shown, faces, heads}) {
  const report = verify(new Uint8Array(Buffer.from(data, 'base64')));
  expectEqual(verdictOf(report), expected, 'the verdict');
  expectEqual(report.shown.length, shown.length, 'the number of states');
  report.shown.forEach(({entry, state}, number) => {
    expectEqual([entry, WRITTEN[game](state)], shown[number], `state ${number}`);
  });
  expectEqual(report.faces, faces, 'the open faces');
  expectEqual(report.entries.map((entry) => entry.head), heads, 'the heads');
  return report.shown.length;
}

const counts = {transcripts: 0, states: 0};
for await (const line of createInterface({input: process.stdin, crlfDelay: Infinity})) {
  const match = JSON.parse(line);
  try {
    counts.states += compareMatch(match);
  } catch (error) {
    console.error(`${match.game}, ${match.label}: ${error.stack.slice(0, 5000)}`);
    process.exit(1);
  }
  counts.transcripts += 1;
}
console.log(JSON.stringify(counts));
