// The vectors of what a player alone makes: node build/vectors.js FOLDER.

import { readFileSync } from "node:fs";
import { join as inFolder } from "node:path";
import { concat, hex, unhex } from "../../auditor/build/bytes.js";
import { decode, type Value } from "../../auditor/build/encoding.js";
import { frame } from "./channel.js";
import { canAnswer, isResumed, join, resume, welcomed } from "./handshake.js";
import { BadAddress, readAddress } from "./addresses.js";
import { BadInvite, readInvite } from "./invite.js";
import { Key } from "./keys.js";
import { LINKS } from "./people.js";
import { Secrets } from "./secrets.js";

// Vectors are data from outside; each use below checks what it takes.
type Data = any;

const folder = process.argv[2];
if (folder === undefined) throw new Error("name the folder of the vectors");
let [count, wrong] = [0, 0];

function load(name: string): Data {
  return JSON.parse(readFileSync(inFolder(folder, name), "utf8"));
}

function expect(name: string, is: unknown, should: unknown): void {
  count += 1;
  const [a, b] = [JSON.stringify(is), JSON.stringify(should)];
  if (a === b) return;
  wrong += 1;
  console.log(`${name}\n  is     ${a}\n  should ${b}`);
}

function secrets(): void {
  const { master, nonce, chance, salts, "choice salts": choices } = load("secrets.json");
  const made = new Secrets(unhex(master));
  expect("nonce", hex(made.nonce), nonce);
  expect("links", made.links(chance.seat, chance.links.length - 1).map(hex), chance.links);
  for (const { game, seat, slot, salt } of salts) expect("salt", hex(made.salt(unhex(game), seat, slot)), salt);
  for (const { game, seat, serial, salt } of choices) expect("choice salt", hex(made.choiceSalt(unhex(game), seat, serial)), salt);
}

function isRead(word: string): boolean {
  try {
    readInvite(word);
    return true;
  } catch (error) {
    if (error instanceof BadInvite) return false;
    throw error;
  }
}

function addresses(): void {
  const { good, bad, "of a kind that is not known": unknown } = load("addresses.json");
  const kindOf = (packed: string) => {
    try {
      const place = readAddress(unhex(packed));
      return place === null ? "passed over" : place.port;
    } catch (error) {
      if (error instanceof BadAddress) return "bad";
      throw error;
    }
  };
  for (const { text, packed } of good) expect(text, kindOf(packed), isCalled(text) ? Number(text.split(":").at(-1)) : "passed over");
  for (const packed of unknown) expect(packed, kindOf(packed), "passed over");
  for (const { packed, why } of bad) expect(why, kindOf(packed), "bad");
}

function isCalled(address: string): boolean {
  return !address.startsWith("relay:") && !address.includes(".onion:");
}

// This player calls IP addresses and host names, and takes no invites to watch.
function invites(): void {
  const { good, bad, "written otherwise": otherwise } = load("invites.json");
  for (const { word, addresses, certificate, secret, watch } of good) {
    if (watch) continue;
    const invite = readInvite(word);
    expect("certificate", [hex(invite.certificate), hex(invite.secret)], [certificate, secret]);
    const called = addresses.filter(isCalled);
    expect("ports", invite.places.map(({ port }) => port), called.map((address: string) => Number(address.split(":").at(-1))));
  }
  for (const word of otherwise.as) expect(word, readInvite(word), readInvite(otherwise.word));
  for (const { word, why } of bad) expect(why, isRead(word), false);
}

function introductions(): void {
  const all = load("introductions.json");
  const binding = concat(unhex(all.certificate), unhex(all["tls-exporter"]));
  const [challenge, joined, welcome] = all["new match"].map(({ payload }: Data) => unhex(payload));
  const { seed, key, name, nonce } = all.joiner;
  const joiner = new Key(unhex(seed));
  expect("key", hex(joiner.public), key);
  expect("challenge", canAnswer(challenge), true);
  expect("JOIN", hex(join(binding, challenge, unhex(all["invite secret"]), joiner, name, unhex(nonce))), hex(joined));
  const host = welcomed(binding, challenge, joined, welcome);
  expect("WELCOME", host && [hex(host.key), host.name], [all.host.key, all.host.name]);
  for (const { payload, why } of all["bad welcomes"]) {
    expect(why, welcomed(binding, challenge, joined, unhex(payload)), null);
  }
  const [, called, resumed] = all["old match"].map(({ payload }: Data) => unhex(payload));
  expect("RESUME", hex(resume(binding, challenge, unhex(all.match), 1, 0, joiner, unhex(nonce))), hex(called));
  expect("RESUMED", isResumed(binding, challenge, called, unhex(all.host.key), resumed), true);
  expect("RESUMED by another", isResumed(binding, challenge, called, joiner.public, resumed), false);
  const ready = all["new match"].find(({ name: of }: Data) => of === "READY");
  const [, sent, anchor] = decode(unhex(ready.payload)) as Value[];
  const mine = new Secrets(unhex(all.masters.joiner));
  expect("READY", [hex(mine.nonce), hex(mine.links(1, LINKS.get("spies-and-lies")!)[0])], [hex(sent as Uint8Array), hex(anchor as Uint8Array)]);
}

function frames(): void {
  for (const { kind, payload, hex: digits } of load("frames.json").good) expect("frame", hex(frame(kind, unhex(payload))), digits);
}

secrets();
addresses();
invites();
introductions();
frames();
console.log(`${count} expectations, ${wrong} wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
