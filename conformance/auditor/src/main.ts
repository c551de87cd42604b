// The auditor of the conformance kit: node build/main.js [--every-signature] [--every-proof] PATH …
// It prints one object of JSON, as conformance/README.md has it: on one transcript or proof, or on several copies.
// With --steady it reads the paths from its standard input, a JSON array a line, and prints a line for each.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { audit, EXIT_CODES, readFile, type Finding } from "./audit.js";
import { compare } from "./compare.js";
import { Unreadable, Unsupported } from "./genesis.js";
import { prove } from "./proof.js";
import { hex, type Bytes } from "./bytes.js";

type Every = { signature: boolean; proof: boolean };

function report(finding: Finding): object {
  const { verdict, outcome } = finding;
  return {
    verdict,
    exit_code: EXIT_CODES[verdict],
    game: finding.genesis!.game.name,
    id: hex(finding.genesis!.id),
    seats: finding.genesis!.keys.length,
    winners: outcome?.winners ?? null,
    reason: outcome?.reason ?? null,
    never_settled: finding.neverSettled,
    owed: finding.owes,
    contested: finding.contested,
    silent: finding.silent,
    entries: finding.entries,
    statements: finding.statements,
    torn: finding.torn,
    fault: finding.fault,
    at_record: finding.wrongAtRecord,
    problem: finding.problem,
  };
}

function isProof(bytes: Bytes): boolean {
  return Buffer.from(bytes.subarray(0, 21)).toString("latin1") === "p2p-stratego proof 2\n";
}

function proof(bytes: Bytes): object {
  const file = readFile(bytes, "proof");
  const fault = file.damaged || file.torn ? null : prove(file.genesis, file.frames);
  if (fault === null) throw new Unreadable("it proves nothing");
  return { verdict: "proven", exit_code: fault.rule === "equivocation" ? 21 : 20, fault };
}

function answer(paths: string[], every: Every): object {
  const files = paths.map((path) => new Uint8Array(readFileSync(path)));
  if (files.length === 1) return isProof(files[0]) ? proof(files[0]) : report(audit(files[0], every));
  const findings = files.map((bytes) => audit(bytes, every));
  if (new Set(findings.map(({ genesis }) => hex(genesis!.id))).size > 1) throw new Unreadable("they are of several matches");
  const { verdict, exitCode, fault, together, outcome } = compare(findings);
  return { verdict, exit_code: exitCode, fault, together, winners: outcome?.winners ?? null, reason: outcome?.reason ?? null };
}

function answerOrRefusal(paths: string[], every: Every): object {
  try {
    return answer(paths, every);
  } catch (error) {
    if (error instanceof Unreadable) return { verdict: "unreadable", exit_code: 65, problem: error.message };
    if (error instanceof Unsupported) return { verdict: "unsupported", exit_code: 50, problem: error.message };
    throw error;
  }
}

async function main(words: string[]): Promise<void> {
  const paths = words.filter((word) => !word.startsWith("--"));
  const flags = words.filter((word) => word.startsWith("--"));
  const steady = flags.includes("--steady");
  const known = ["--every-signature", "--every-proof", "--steady"];
  if ((paths.length === 0) !== steady || flags.some((flag) => !known.includes(flag))) {
    process.stderr.write("usage: main.js [--every-signature] [--every-proof] PATH ... | --steady\n");
    process.exitCode = 64;
    return;
  }
  const every = { signature: flags.includes("--every-signature"), proof: flags.includes("--every-proof") };
  const print = (object: object) => process.stdout.write(JSON.stringify(object) + "\n");
  if (steady) {
    for await (const line of createInterface({ input: process.stdin })) print(answerOrRefusal(JSON.parse(line), every));
    return;
  }
  const object = answerOrRefusal(paths, every);
  print(object);
  process.exitCode = (object as { exit_code: number }).exit_code;
}

await main(process.argv.slice(2));
