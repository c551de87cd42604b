// Judges transcripts from standard input, one line of JSON each: tests compare them with the verdicts of Python.
//
// Each transcript: one byte (1: with every signature), its length (u32, big-endian), its bytes.

import {argv, stdin, stdout} from 'node:process';

import {RULEBOOKS} from '../../cli/page/rulebooks.mjs';
import {verify} from '../../cli/page/verdict.mjs';
import {TOY} from './modules/toy.mjs';

const games = argv.includes('--toy') ? new Map([...RULEBOOKS, ['toy', TOY]]) : RULEBOOKS;
const input = Buffer.concat(await stdin.toArray());
for (let at = 0; at < input.length;) {
  const everySignature = input[at] === 1;
  const end = at + 5 + input.readUInt32BE(at + 1);
  const {entries, shown, faces, checks, genesis, ...result} = verify(
    new Uint8Array(input.subarray(at + 5, end)), {everySignature, games},
  );
  stdout.write(`${JSON.stringify({...result, id: genesis?.id ?? null, failed: checks.filter((check) => (
    check.state === 'failed')).map((check) => check.name)})}\n`);
  at = end;
}
