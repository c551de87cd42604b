// SPEC 7 under the profile of hashes: commitments, openings, looks and mixes.

import type { Answer, Ask, Commit } from "./asks.js";
import { same, type Bytes } from "./bytes.js";
import { count, type Claim } from "./claims.js";
import { commitment, isSoundKey } from "./crypto/hashing.js";
import type { Play } from "./play.js";
import { Fault, type SealedLook, type Steps, type Table } from "./table.js";

type Laid = { seat: number; digest: Bytes; faces: Set<number> };

export class HashTable implements Table {
  claims: Claim[] = [];
  faces = new Map<number, { face: number; entry: number }>();
  looks = new Map<number, { look: SealedLook; then: Table | null }>();
  private readonly play: Play;
  private slots = new Map<number, Laid>();
  private changed = false;

  constructor(play: Play) {
    this.play = play;
  }

  copy(): HashTable {
    const table = new HashTable(this.play);
    table.claims = [...this.claims];
    table.faces = new Map(this.faces);
    table.looks = new Map(this.looks);
    table.slots = new Map(this.slots);
    return table;
  }

  remember(later: Table): void {
    for (const [entry, { look, then }] of later.looks) {
      if (!this.looks.has(entry)) this.looks.set(entry, { look, then: then ?? later });
    }
  }

  claimsChanged(): boolean {
    const { changed } = this;
    this.changed = false;
    return changed;
  }

  laid(slot: number): Laid | undefined {
    return this.slots.get(slot);
  }

  *seatGone(): Steps<void> {}

  *commitTogether(asks: Commit[]): Steps<Answer> {
    for (const ask of asks) yield* this.commit(ask);
    return asks.map(() => null);
  }

  *answer(ask: Ask): Steps<Answer> {
    switch (ask.ask) {
      case "commit":
        return yield* this.commit(ask);
      case "open":
        return yield* this.open(ask.slot);
      case "openTo":
        return yield* this.look(ask.slot, ask.seat);
      case "mix":
        return yield* this.mix(ask);
      case "claim":
        if (this.play.present[ask.seat]) {
          this.claim({ ...this.origin(ask.seat, ask.rule), about: "faces", slots: ask.slots, faces: new Set(ask.faces) });
        }
        return null;
      default:
        throw new Error(`${ask.ask} needs proofs`);
    }
  }

  private origin(seat: number, rule: string): { entry: number; seat: number; rule: string } {
    return { entry: this.play.count - 1, seat, rule };
  }

  private claim(claim: Claim): void {
    this.claims.push(claim);
    this.changed = true;
  }

  // 7.2.
  private *commit({ seat, slots, faces, exactly, chosen }: Commit): Steps<null> {
    const message = this.play.present[seat] ? yield* this.play.wait(seat, "Commitments", chosen) : null;
    if (message === null) return null;
    if (message.digests.length !== slots.length) throw new Fault("wrong-count");
    this.play.useDigests(message.digests);
    const allowed = new Set(faces);
    slots.forEach((slot, i) => this.slots.set(slot, { seat, digest: message.digests[i], faces: allowed }));
    if (exactly) this.claim({ ...this.origin(seat, "wrong-faces"), about: "exactly", slots, faces: count(faces) });
    return null;
  }

  // 7.9.1: the layer of a slot that can be shown, or null if a gone seat laid it, or was to lay it.
  private owner(slot: number): number | null {
    const laid = this.slots.get(slot);
    return laid !== undefined && this.play.present[laid.seat] ? laid.seat : null;
  }

  private *open(slot: number): Steps<number | null> {
    const owner = this.owner(slot);
    const opening = owner === null ? null : yield* this.play.wait(owner, "Opening");
    if (opening === null) return null;
    this.check(slot, opening.face, opening.salt);
    this.faces.set(slot, { face: opening.face, entry: this.play.count - 1 });
    this.changed = true;
    return opening.face;
  }

  /** 7.3: raises `Fault`. */
  private check(slot: number, face: number, salt: Bytes): void {
    const { seat, digest, faces } = this.slots.get(slot)!;
    if (!same(commitment(this.play.genesis.id, seat, slot, salt, face), digest)) throw new Fault("wrong-opening");
    if (!faces.has(face)) throw new Fault("impossible-face");
  }

  // 7.5.
  private *look(slot: number, viewer: number): Steps<null> {
    const owner = this.owner(slot);
    const asked = owner === null || !this.play.present[viewer] ? null : yield* this.play.wait(viewer, "LookKey");
    if (asked === null || owner === null) return null;
    if (!isSoundKey(asked.key)) throw new Fault("weak-key");
    const shown = yield* this.play.wait(owner, "SealedOpening");
    if (shown === null) return null;
    if (!isSoundKey(shown.key)) throw new Fault("weak-key");
    const entry = this.play.count - 1;
    const place = { game: this.play.genesis.id, viewer, owner, slot, serial: this.play.serial };
    this.looks.set(entry, { look: { ...place, lookKey: asked.key, key: shown.key, entry, box: shown.box }, then: null });
    return null;
  }

  // 7.6.
  private *mix(ask: Extract<Ask, { ask: "mix" }>): Steps<null> {
    const { seat, rule } = ask;
    const mixed = this.play.present[seat] ? yield* this.play.wait(seat, "Mixed", ask.chosen) : null;
    if (mixed === null) return null;
    if (mixed.digests.length !== ask.new.length) throw new Fault("wrong-count");
    this.play.useDigests(mixed.digests);
    const faces = new Set<number>();
    for (const slot of ask.old) {
      const open = this.faces.get(slot);
      for (const face of open === undefined ? this.slots.get(slot)!.faces : [open.face]) faces.add(face);
    }
    ask.new.forEach((slot, i) => this.slots.set(slot, { seat, digest: mixed.digests[i], faces }));
    const slots = [...ask.old, ...ask.new];
    this.claim({ ...this.origin(seat, rule), about: "mix", slots, old: ask.old, new: ask.new });
    return null;
  }
}
