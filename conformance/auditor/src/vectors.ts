// The vectors of single constructions: node build/vectors.js FOLDER. The runner of the kit compares whole files.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hex, unhex, type Bytes } from "./bytes.js";
import { commitment, isPublicKey, isSigned, isSoundKey, roll, tagged, taggedValue, unseal } from "./crypto.js";
import { decode, encode, Malformed, readFrame, type Value } from "./encoding.js";
import { readGenesis, Unreadable, Unsupported } from "./genesis.js";
import { GAMES } from "./games/all.js";
import { readMessage } from "./messages.js";

// Vectors are data from outside; each use below checks what it takes.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

let count = 0;
let wrong = 0;

function expect(name: string, is: unknown, should: unknown): void {
  count += 1;
  const [a, b] = [JSON.stringify(is), JSON.stringify(should)];
  if (a === b) return;
  wrong += 1;
  console.log(`${name}\n  is     ${a}\n  should ${b}`);
}

function load(folder: string, name: string): Data {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

function toValue(data: Data): Value {
  if (Array.isArray(data)) return data.map(toValue);
  if (typeof data === "object") return unhex(data.hex);
  return data;
}

function decoded(bytes: Bytes): string {
  try {
    return hex(encode(decode(bytes)));
  } catch (error) {
    if (error instanceof Malformed) return "malformed";
    throw error;
  }
}

function single(folder: string): void {
  const encoding = load(folder, "encoding.json");
  for (const { value, hex: digits } of encoding.good) {
    expect(`encoding ${digits.slice(0, 40)}`, decoded(unhex(digits)), digits);
    if (typeof value !== "string" || !/^\d+$/.test(value)) expect("encode", hex(encode(toValue(value))), digits);
  }
  for (const { hex: digits, why } of encoding.bad) expect(`encoding: ${why}`, decoded(unhex(digits)), "malformed");
  const frames = load(folder, "frames.json");
  for (const { kind, payload, hex: digits } of frames.good) {
    const frame = readFrame(unhex(digits), 0);
    expect("frame", typeof frame === "string" ? frame : [frame.kind, hex(frame.payload)], [kind, payload]);
  }
  for (const { hex: digits, error } of frames.bad) expect(`frame ${digits}`, readFrame(unhex(digits), 0), error);
  const keys = load(folder, "keys.json");
  for (const key of keys["good keys"]) expect(`key ${key}`, isPublicKey(unhex(key)), true);
  for (const { key, why } of keys["bad keys"]) expect(`key: ${why}`, isPublicKey(unhex(key)), false);
  for (const { key, label, data, signature, valid, why } of keys.signatures) {
    const rest = label.slice("p2p-stratego/2 ".length);
    expect(`signature: ${why}`, isPublicKey(unhex(key)) && isSigned(unhex(key), rest, unhex(data), unhex(signature)), valid);
  }
  for (const { label, data, hash } of load(folder, "hashes.json").hashes) {
    expect(`hash ${label}`, hex(tagged(label.slice("p2p-stratego/2 ".length), unhex(data))), hash);
  }
  const genesis = load(folder, "genesis.json");
  const read = (digits: string): string => {
    try {
      return hex(readGenesis(unhex(digits), GAMES).id);
    } catch (error) {
      if (error instanceof Unreadable) return "malformed";
      if (error instanceof Unsupported) return "unsupported";
      throw error;
    }
  };
  for (const good of [genesis["a week for each decision"], genesis.takebacks, ...genesis.clocks]) {
    expect("genesis", read(good.body), good.id ?? good["game id"] ?? read(good.body));
  }
  for (const bad of genesis.bad) expect(`genesis: ${bad.why}`, read(bad.hex), bad.error);
  const messages = load(folder, "messages.json");
  for (const { kind, hex: digits } of messages.good) expect(`message ${kind}`, readMessage(decode(unhex(digits)))?.kind, kind);
  for (const { hex: digits, why } of messages.bad) expect(`message: ${why}`, readMessage(decode(unhex(digits))), null);
  const commitments = load(folder, "commitments.json");
  const digest = (one: Data) => hex(commitment(unhex(one.game), one.seat, one.slot, unhex(one.salt), one.face));
  for (const one of commitments.good) expect("commitment", digest(one), one.digest);
  for (const one of commitments.choices) {
    const value = [unhex(one.game), one.seat, one.serial, unhex(one.salt), one.move];
    expect("hidden choice", hex(taggedValue("hidden choice", value)), one.digest);
  }
  for (const one of commitments.bad) if ("face" in one) expect(`commitment: ${one.why}`, digest(one) === one.digest, false);
  const chance = load(folder, "chance.json");
  for (const { seat, links } of chance.chains) {
    for (let i = 1; i < links.length; i += 1) {
      expect("link", hex(taggedValue("chance link", [seat, unhex(links[i])])), links[i - 1]);
    }
  }
  for (const { seat, link, previous } of chance["bad links"]) {
    expect("bad link", hex(taggedValue("chance link", [seat, unhex(link)])) === previous, false);
  }
  for (const { game, roll: toss, sides, shares, result } of chance.results) {
    expect("roll", String(roll(unhex(game), toss, shares.map(unhex), BigInt(sides))), result);
  }
  const sealed = load(folder, "sealed.json");
  const opened = (one: Data): string => {
    const { viewer, owner, slot, serial } = one;
    const lookKey = unhex(one["viewer key"] ?? sealed.good[0]["viewer key"]);
    const look = { game: unhex(one.game), viewer, owner, slot, serial, lookKey, key: unhex(one["sender key"]) };
    const bytes = unseal(look, unhex(one["viewer secret"]), unhex(one.box));
    return bytes === null ? "shut" : `${bytes[0]} ${hex(bytes.subarray(1))}`;
  };
  for (const one of sealed.good) expect("sealed", opened(one), `${one.face} ${one.salt}`);
  for (const one of sealed.bad) expect(`sealed: ${one.why}`, opened(one), "shut");
  for (const key of sealed["sound keys"]) expect("sound key", isSoundKey(unhex(key)), true);
  for (const { key } of sealed["unsound keys"]) expect("unsound key", isSoundKey(unhex(key)), false);
}

const folder = process.argv[2];
if (folder === undefined) throw new Error("name the folder of the vectors");
single(folder);
console.log(`${count} expectations, ${wrong} wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
