// SPEC 14.1: the addresses of a place.

import type { Bytes } from "../../auditor/build/bytes.js";

export type Place = { host: string; port: number };

/** An address of a known kind that the rules do not give just so (14.1.2). */
export class BadAddress extends Error {}

const [NAME, ONION, RELAYED, IPV4, IPV6] = [1, 2, 3, 4, 6];
const LONGEST = 255;
const LONGEST_NAME = 235;
const TOKEN = 16;

/** Where to call by TCP; null for an onion service, a relay or a kind that is not known. Raises BadAddress. */
export function readAddress(address: Bytes): Place | null {
  const [kind, body] = [address[0], address.subarray(1)];
  if (address.length < 1 || address.length > LONGEST) throw new BadAddress("its length");
  if (kind === RELAYED) {
    const relay = body.subarray(TOKEN);
    if (relay.length < 1 || relay[0] === RELAYED) throw new BadAddress("no relay");
    readAddress(relay);
    return null;
  }
  if (![NAME, ONION, IPV4, IPV6].includes(kind)) return null;
  const [where, port] = [body.subarray(0, -2), (body[body.length - 2] << 8) | body[body.length - 1]];
  const isSound =
    kind === NAME ? isName(where)
    : kind === ONION ? where.length === 32
    : kind === IPV4 ? where.length === 4 && !isNoMachine(where) && where[0] >> 4 !== 14 && !where.every((byte) => byte === 255)
    : where.length === 16 && !isNoMachine(where) && where[0] !== 255 && !isMapped(where);
  if (body.length < 3 || port === 0 || !isSound) throw new BadAddress("not as the rules give it");
  if (kind === ONION) return null;
  const host = kind === NAME ? textOf(where) : kind === IPV4 ? where.join(".") : groups(where).join(":");
  return { host, port };
}

function textOf(bytes: Bytes): string {
  return Buffer.from(bytes).toString("latin1");
}

// 14.1.4.
function isName(bytes: Bytes): boolean {
  const labels = textOf(bytes).split(".");
  const last = labels[labels.length - 1];
  const areLabels = labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return areLabels && bytes.length <= LONGEST_NAME && last !== "onion" && !/^(\d+|0x[0-9a-f]*)$/.test(last);
}

function isNoMachine(ip: Bytes): boolean {
  return ip.every((byte) => byte === 0);
}

function isMapped(ip: Bytes): boolean {
  return ip.subarray(0, 10).every((byte) => byte === 0) && ip[10] === 255 && ip[11] === 255;
}

function groups(ip: Bytes): string[] {
  return Array.from({ length: 8 }, (_, i) => ((ip[2 * i] << 8) | ip[2 * i + 1]).toString(16));
}
