// The public side of cards under keys (spec/proofs.md, P2): keys, decks, and what is public of them.

import {combination, NO_ELEMENT} from '../crypto/ristretto.mjs';
import {faceOfPoint, publicCard} from '../crypto/proofs.mjs';

/** What is known of cards under keys, in the profile of proofs. */
export class CardsKnown {
  constructor() {
    /** Whether the seats have been asked for their keys. */
    this.asked = false;
    /** By seat: its key; the identity for one that left before it sent any. */
    this.keys = new Map();
    /** By seat: the key under which it is dealt shares, in a match with an escrow. */
    this.shareKeys = new Map();
    /** By seat: the number of the entry with its key, and the key in it. */
    this.keysAt = new Map();
    this.sent = new Map();
    /** By seat that is gone: its secret, which all know. */
    this.released = new Map();
    /** The seats that are gone with their secrets: what they laid stays closed for ever. */
    this.lost = new Set();
    /** By dealer: its key in shares; by number of the entry: its dealer. */
    this.deals = new Map();
    this.dealsAt = new Map();
    /** By seat that is gone: the shares of its key that others gave, by seat. */
    this.shares = new Map();
    /** By deck: its cards under the joint key, the top one first. */
    this.decks = new Map();
    this.shuffled = 0;
    this.looks = 0;
    this.mixes = 0;
    this.claims = 0;
    this.proofs = 0;
  }

  /** What a TakeBack undoes; keys, shares and secrets stay as they were sent. */
  undoable() {
    const {looks, mixes, claims, proofs, shuffled} = this;
    return {looks, mixes, claims, proofs, shuffled, decks: new Map(this.decks)};
  }

  /** A seat that left before it had any card has a key that all know. */
  withoutKey(seat) {
    this.keys.set(seat, NO_ELEMENT);
    this.released.set(seat, 0n);
  }

  /** The key under which nobody reads a card alone. */
  get joint() {
    return [...this.keys.values()].reduce((sum, key) => sum.plus(key), NO_ELEMENT);
  }

  /** The face of a card under the key of a seat whose secret all know. */
  read(seat, {a, b}) {
    return faceOfPoint(b.minus(combination([this.released.get(seat), a])));
  }

  /** The cards of faces that all know, under a key. */
  public(faces, key) {
    const cards = new Map([...new Set(faces)].map((face) => [face, publicCard(face, key)]));
    return faces.map((face) => cards.get(face));
  }

  /** The top cards of a deck; fewer are a bug of the rules. */
  top(deck, count) {
    const cards = this.decks.get(deck);
    if (cards === undefined || count > cards.length) {
      throw new RangeError(`the rules take ${count} cards of deck ${deck}, which has fewer`);
    }
    return cards.slice(0, count);
  }
}
