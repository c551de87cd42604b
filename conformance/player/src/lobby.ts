// SPEC 14.18: sitting down, up to a match that every seat has agreed to.

import { randomBytes } from "node:crypto";
import { join as inFolder } from "node:path";
import { concat, same, type Bytes } from "../../auditor/build/bytes.js";
import type { Game } from "../../auditor/build/asks.js";
import { isSigned } from "../../auditor/build/crypto/hashing.js";
import { encode, type Value } from "../../auditor/build/encoding.js";
import { readGenesis, Unreadable, Unsupported, type Genesis } from "../../auditor/build/genesis.js";
import { DECLINED, fields, reach, type Channel } from "./channel.js";
import { Copy } from "./copy.js";
import { canAnswer, CHALLENGE, isResumed, JOIN, join, RESUME, resume, RESUMED, WELCOME, welcomed } from "./handshake.js";
import type { Invite } from "./invite.js";
import type { Key } from "./keys.js";
import { LINKS } from "./people.js";
import { Secrets } from "./secrets.js";

const [STATEMENT, CARD, LOBBY, READY, FOUND, TALK] = [3, 28, 34, 35, 36, 49];
const AGREE = 0;
const SIGNATURE = 64;
/** A code of CLOSE. */
const VERSION = 1;
export const [SECRETS, TRANSCRIPT] = ["secrets", "transcript.p2ps"];

/** This player at a table: its place there, and all that it needs to play. */
export type Seat = { channel: Channel; copy: Copy; seat: number; key: Key; secrets: Secrets; links: Bytes[] };
/** Who sits down, and where the match will be kept. */
export type Guest = { key: Key; name: string; folder: string; games: Map<string, Game> };

type Listing = { number: number; game: string; proposal: Bytes; places: Value[][] };
/** The yes to a listing. */
type Part = { listing: Listing; seat: number; secrets: Secrets; links: Bytes[] };

async function challenged(invite: Invite): Promise<{ channel: Channel; challenge: Bytes }> {
  const channel = await reach(invite);
  const { kind, payload } = await channel.next();
  if (kind !== CHALLENGE || !canAnswer(payload)) channel.refuse("no challenge that this player knows", VERSION);
  return { channel, challenge: payload };
}

function newNonce(): Bytes {
  return new Uint8Array(randomBytes(32));
}

/** 14.12.9: comes back to a match of before, at the place where the invite led. Raises Trouble and Spoilt. */
export async function comeBack(invite: Invite, { key, folder, games }: Guest): Promise<Seat> {
  const secrets = Secrets.goOn(inFolder(folder, SECRETS));
  const copy = Copy.goOn(inFolder(folder, TRANSCRIPT), games);
  const { genesis } = copy.match;
  const seat = genesis.keys.findIndex((other) => same(other, key.public));
  const { channel, challenge } = await challenged(invite);
  const called = 1 - seat;
  const words = resume(channel.binding, challenge, genesis.id, seat, called, key, newNonce());
  channel.send(RESUME, words);
  const { kind, payload } = await channel.next();
  if (kind !== RESUMED || !isResumed(channel.binding, challenge, words, genesis.keys[called], payload)) {
    channel.refuse("somebody else than the other seat");
  }
  return { channel, copy, seat, key, secrets, links: secrets.links(seat, LINKS.get(genesis.game.name)!) };
}

/** Comes in by an invite. Raises Trouble. */
export async function sitDown(invite: Invite, guest: Guest): Promise<Seat> {
  const { channel, challenge } = await challenged(invite);
  const joined = join(channel.binding, challenge, invite.secret, guest.key, guest.name, newNonce());
  channel.send(JOIN, joined);
  const answer = await channel.next();
  const host = answer.kind === WELCOME ? welcomed(channel.binding, challenge, joined, answer.payload) : null;
  if (host === null) return channel.refuse("no welcome by the host");
  return await agree(channel, guest, host.key);
}

async function agree(channel: Channel, guest: Guest, host: Bytes): Promise<Seat> {
  let listing: Listing | null = null;
  let part: Part | null = null;
  for (;;) {
    const { kind, payload } = await channel.next();
    if (kind === TALK) continue;
    if (kind === LOBBY) {
      listing = follow(channel, guest, host, listing, readListing(channel, payload));
      const isFull = listing.places.every((place) => place.length > 0);
      if (isFull && part?.listing.number !== listing.number) part = yes(channel, guest, listing);
    } else if (kind === FOUND && part !== null) {
      return await consent(channel, guest, part, payload);
    } else {
      channel.refuse(`a frame of kind ${kind} in the lobby`);
    }
  }
}

function readListing(channel: Channel, payload: Bytes): Listing {
  const value = fields(payload);
  const [number, game, version, options, places, proofs, escrow, time] = value;
  const isPlace = (place: Value) => Array.isArray(place) && (place.length === 0 || place.length === 4);
  if (value.length !== 10 || typeof number !== "number" || typeof game !== "string") return channel.refuse("no listing");
  if (!Array.isArray(places) || !places.every(isPlace)) return channel.refuse("no places");
  const who = (places as Value[][]).map(([key, name]) => (key === undefined ? [] : [key, name]));
  const proposal = encode([game, version, options, proofs, escrow, time, who]);
  return { number, game, proposal, places: places as Value[][] };
}

// 14.18.5.
function follow(channel: Channel, guest: Guest, host: Bytes, before: Listing | null, listing: Listing): Listing {
  if (before !== null && listing.number < before.number) channel.refuse("a listing of before");
  if (before?.number === listing.number && !same(before.proposal, listing.proposal)) channel.refuse("a listing that changed");
  if (listing.places.filter((place) => isPlaceOf(place, guest)).length !== 1) channel.refuse("no place, or two");
  if (!listing.places.some(([key]) => key instanceof Uint8Array && same(key, host))) channel.refuse("a table without its host");
  return listing;
}

function isPlaceOf([key, called]: Value[], guest: Guest): boolean {
  return key instanceof Uint8Array && same(key, guest.key.public) && called === guest.name;
}

// 14.18.6; each yes has a master secret of its own (14.18.19).
function yes(channel: Channel, guest: Guest, listing: Listing): Part {
  const seat = listing.places.findIndex((place) => isPlaceOf(place, guest));
  const length = LINKS.get(listing.game);
  if (length === undefined || listing.places.length !== 2) {
    return channel.refuse("a game that this player does not play", DECLINED);
  }
  const secrets = new Secrets();
  const links = secrets.links(seat, length);
  channel.say(READY, [listing.number, secrets.nonce, links[0]]);
  return { listing, seat, secrets, links };
}

// 14.18.10 to 14.18.16.
async function consent(channel: Channel, guest: Guest, part: Part, payload: Bytes): Promise<Seat> {
  const { listing, seat, secrets, links } = part;
  const [number, body] = fields(payload);
  if (number !== listing.number || !(body instanceof Uint8Array)) return channel.refuse("no genesis of the listing agreed to");
  const genesis = genesisOf(channel, body, guest.games);
  if (!same(proposalOf(body), listing.proposal)) channel.refuse("another genesis than was agreed to");
  const isMine = same(genesis.nonces[seat], secrets.nonce) && same(genesis.anchors[seat], links[0]);
  if (!isMine) channel.refuse("a genesis with another part of this player");
  if (genesis.takebacks || genesis.proofs) channel.refuse("what this player does not play", DECLINED);
  secrets.keep(inFolder(guest.folder, SECRETS));
  const copy = Copy.begin(genesis, body, inFolder(guest.folder, TRANSCRIPT));
  const mine = copy.statement(seat, guest.key, AGREE, []);
  channel.send(STATEMENT, mine);
  while (!copy.match.isAgreed()) {
    const { kind, payload } = await channel.next();
    if (kind === CARD) checkCard(channel, genesis, payload);
    else if (kind === STATEMENT && !same(payload, mine)) copy.admit(kind, payload);
    else if (kind === LOBBY && readListing(channel, payload).number > listing.number) channel.refuse("the match is void");
    else if (kind !== STATEMENT && kind !== LOBBY) channel.refuse(`a frame of kind ${kind} before all have agreed`);
  }
  return { channel, copy, seat, key: guest.key, secrets, links };
}

function genesisOf(channel: Channel, body: Bytes, games: Map<string, Game>): Genesis {
  try {
    return readGenesis(body, games);
  } catch (error) {
    if (error instanceof Unreadable || error instanceof Unsupported) channel.refuse(error.message);
    throw error;
  }
}

// What of a genesis stands in a listing.
function proposalOf(body: Bytes): Bytes {
  const [, game, version, options, seats, proofs, escrow, time] = fields(body);
  const who = (seats as Value[][]).map(([key, name]) => [key, name]);
  return encode([game, version, options, proofs, escrow, time ?? 0, who]);
}

// 14.18.15. This player calls nobody, so it keeps no card.
function checkCard(channel: Channel, genesis: Genesis, payload: Bytes): void {
  const [body, signature] = [payload.subarray(0, -SIGNATURE), payload.subarray(-SIGNATURE)];
  const [id, seat] = fields(body);
  const isOurs = id instanceof Uint8Array && same(id, genesis.id) && typeof seat === "number" && seat < genesis.keys.length;
  if (!isOurs || !isSigned(genesis.keys[seat], "sign address card", concat(genesis.id, body), signature)) {
    channel.refuse("no card of a seat");
  }
}
