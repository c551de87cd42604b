// SPEC 14.18: sitting down, up to a match that every seat has agreed to.

import { randomBytes } from "node:crypto";
import { join as inFolder } from "node:path";
import { same, type Bytes } from "../../auditor/build/bytes.js";
import type { Game } from "../../auditor/build/asks.js";
import { isSigned } from "../../auditor/build/crypto.js";
import { encode, type Value } from "../../auditor/build/encoding.js";
import { readGenesis, type Genesis } from "../../auditor/build/genesis.js";
import { concat } from "../../auditor/build/bytes.js";
import { fields, reach, type Channel } from "./channel.js";
import { Copy } from "./copy.js";
import { canAnswer, CHALLENGE, JOIN, join, WELCOME, welcomed } from "./handshake.js";
import type { Invite } from "./invite.js";
import type { Key } from "./keys.js";
import { LINKS } from "./people.js";
import { Secrets } from "./secrets.js";

const [CARD, LOBBY, READY, FOUND, TALK] = [28, 34, 35, 36, 49];
const STATEMENT = 3;

/** This player at a table: its place there, and all that it needs to play. */
export type Seat = { channel: Channel; copy: Copy; seat: number; key: Key; secrets: Secrets; links: Bytes[] };

type Listing = { number: number; game: string; proposal: Bytes; places: Value[][]; isFull: boolean };

/** Comes in by an invite. Raises Trouble. */
export async function sitDown(invite: Invite, key: Key, name: string, folder: string, games: Map<string, Game>): Promise<Seat> {
  const channel = await reach(invite);
  const challenge = await channel.next();
  if (challenge.kind !== CHALLENGE || !canAnswer(challenge.payload)) channel.refuse("no challenge that this player knows", 1);
  const joined = join(channel.binding, challenge.payload, invite.secret, key, name, new Uint8Array(randomBytes(32)));
  channel.send(JOIN, joined);
  const answer = await channel.next();
  const host = answer.kind === WELCOME ? welcomed(channel.binding, challenge.payload, joined, answer.payload) : null;
  if (host === null) return channel.refuse("no welcome by the host");
  return await agree(channel, { me: { key, name }, host: host.key, folder, games });
}

type Guest = { me: { key: Key; name: string }; host: Bytes; folder: string; games: Map<string, Game> };

async function agree(channel: Channel, guest: Guest): Promise<Seat> {
  let listing: Listing | null = null;
  let said: { number: number; secrets: Secrets; seat: number; links: Bytes[] } | null = null;
  for (;;) {
    const { kind, payload } = await channel.next();
    if (kind === TALK) continue;
    if (kind === LOBBY) {
      listing = follow(channel, guest, listing, readListing(channel, payload));
      if (!listing.isFull || said?.number === listing.number) continue;
      said = yes(channel, guest, listing);
    } else if (kind === FOUND && said !== null) {
      return await consent(channel, guest, listing!, said, payload);
    } else {
      channel.refuse(`a frame of kind ${kind} in the lobby`);
    }
  }
}

function readListing(channel: Channel, payload: Bytes): Listing {
  const value = fields(payload);
  const [number, game, version, options, places, proofs, escrow, time] = value;
  if (value.length !== 10 || typeof number !== "number" || typeof game !== "string" || !Array.isArray(places)) return channel.refuse("no listing");
  const isPlace = (place: Value) => Array.isArray(place) && (place.length === 0 || place.length === 4);
  if (!places.every(isPlace)) return channel.refuse("no place");
  const seats = places as Value[][];
  const who = seats.map(([key, name]) => (key === undefined ? [] : [key, name]));
  const proposal = encode([game, version, options, proofs, escrow, time, who]);
  return { number, game, proposal, places: seats, isFull: seats.every((place) => place.length > 0) };
}

// 14.18.5.
function follow(channel: Channel, { me, host }: Guest, before: Listing | null, listing: Listing): Listing {
  if (before !== null && listing.number < before.number) channel.refuse("a listing of before");
  if (before?.number === listing.number && !same(before.proposal, listing.proposal)) channel.refuse("a listing that changed");
  if (listing.places.filter((place) => isPlaceOf(place, me.key.public, me.name)).length !== 1) channel.refuse("no place, or two");
  if (!listing.places.some(([key]) => key !== undefined && same(key as Bytes, host))) channel.refuse("a table without its host");
  return listing;
}

function isPlaceOf([key, name]: Value[], mine: Bytes, called: string): boolean {
  return key instanceof Uint8Array && same(key, mine) && name === called;
}

// 14.18.6; each yes has a master secret of its own (14.18.19).
function yes(channel: Channel, { me }: Guest, { number, game, places }: Listing) {
  const seat = places.findIndex((place) => isPlaceOf(place, me.key.public, me.name));
  const length = LINKS.get(game);
  if (length === undefined || places.length !== 2) return channel.decline("a game that this player does not play");
  const secrets = new Secrets();
  const links = secrets.links(seat, length);
  channel.say(READY, [number, secrets.nonce, links[0]]);
  return { number, secrets, seat, links };
}

// 14.18.10 to 14.18.16.
async function consent(
  channel: Channel, { me, folder, games }: Guest, listing: Listing,
  { number, secrets, seat, links }: { number: number; secrets: Secrets; seat: number; links: Bytes[] }, payload: Bytes,
): Promise<Seat> {
  const [listed, body] = fields(payload);
  if (listed !== number || !(body instanceof Uint8Array)) return channel.refuse("no genesis of the listing agreed to");
  const genesis = readGenesis(body, games);
  if (!same(proposalOf(body), listing.proposal)) channel.refuse("another genesis than was agreed to");
  if (!same(genesis.nonces[seat], secrets.nonce) || !same(genesis.anchors[seat], links[0])) channel.refuse("another's nonce");
  if (genesis.takebacks) channel.refuse("a person that is called a bot");
  secrets.keep(inFolder(folder, "secrets"));
  const copy = new Copy(genesis, body, inFolder(folder, "transcript.p2ps"));
  const mine = copy.statement(seat, me.key, 0, []);
  channel.send(STATEMENT, mine);
  for (;;) {
    const { kind, payload: record } = await channel.next();
    if (kind === CARD) checkCard(channel, genesis, record);
    else if (kind !== STATEMENT) channel.refuse(`a frame of kind ${kind} before every seat has agreed`);
    else if (!same(record, mine)) copy.admit(kind, record);
    if (copy.match.isAgreed()) return { channel, copy, seat, key: me.key, secrets, links };
  }
}

// What of a genesis stands in a listing.
function proposalOf(body: Bytes): Bytes {
  const [, game, version, options, seats, proofs, escrow, time] = fields(body);
  return encode([game, version, options, proofs, escrow, time ?? 0, (seats as Value[][]).map(([key, name]) => [key, name])]);
}

// 14.18.15. This player calls nobody, so it keeps no card.
function checkCard(channel: Channel, genesis: Genesis, payload: Bytes): void {
  const [body, signature] = [payload.subarray(0, -64), payload.subarray(-64)];
  const [id, seat] = fields(body);
  const isOurs = id instanceof Uint8Array && same(id, genesis.id) && typeof seat === "number" && seat < genesis.keys.length;
  if (!isOurs || !isSigned(genesis.keys[seat], "sign address card", concat(genesis.id, body), signature)) {
    channel.refuse("no card of a seat");
  }
}
