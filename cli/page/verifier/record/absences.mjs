// The absences in a match of three or more: the AWAYs and BACKs among the admitted records, by place of the chain, and
// what they make of further records (SPEC 10.11 and 10.12).

import {equalBytes, joinBytes} from '../wire/bytes.mjs';
import {Malformed} from '../wire/codec.mjs';
import {isSigned} from '../crypto/ed25519.mjs';
import {bodyOf, signatureOf} from './entries.mjs';
import {LABEL_SIGN_STATEMENT, LABEL_STATEMENT} from '../wire/labels.mjs';
import {Violation} from '../refusals.mjs';
import {taggedHash} from '../crypto/sha2.mjs';
import {accusersOf, bothWays, deciderOf, isMany} from './silence.mjs';
import {parseStatement} from './statements.mjs';

const NOBODY = new Set();

export class Absences {
  /** @param {import('./referee.mjs').Referee} referee Whose chain it reads. */
  constructor(referee) {
    this.referee = referee;
    /** By place, then by claimant and accused: the AWAY. */
    this.claims = new Map();
    /** By place: the seats that have said BACK without a release, or whose BACK another one holds. */
    this.backs = new Map();
    /** By seat and index: all statements; a proof holds only some. */
    this.noted = new Map();
    /** The places whose owner was called away, whose record takes the place, and behind which no other seat has one. */
    this.open = [];
  }

  /** The seats that are not gone before entry `number`, ascending. */
  present(number) {
    const {genesis, table} = this.referee;
    return genesis.players.map((_, seat) => seat).filter((seat) => !(table.gone.get(seat) < number));
  }

  place(number) {
    return {owner: this.referee.owing[number], present: this.present(number)};
  }

  /** Whether `seat` has signed an AWAY over `number` entries against `accused`. */
  accused(number, seat, accused) {
    return this.claims.get(number)?.has(`${seat} ${accused}`) ?? false;
  }

  /** By claimant: the AWAYs over a place against its owner. */
  away(number) {
    const owner = this.referee.owing[number];
    const claims = [...(this.claims.get(number)?.values() ?? [])].filter(({content}) => content[0] === owner);
    return new Map(claims.map((claim) => [claim.seat, claim]));
  }

  /** Whether the owner's own record takes its place. */
  #stands(number) {
    const {entries, owing} = this.referee;
    return number < entries.length && entries[number].seat === owing[number];
  }

  /** The first entry of another seat, not a fold, behind the one at `number`, which is its owner's. */
  #firstBehind(number) {
    const {entries, owing} = this.referee;
    return entries.slice(number + 1).find((entry) => entry.seat !== owing[number] && !entry.folded) ?? null;
  }

  #built(number) {
    const entry = this.#firstBehind(number);
    return entry && {seat: entry.seat, backs: this.#released(entry, number)};
  }

  /** The statement of its seat before this one, if it is known. */
  #before(statement) {
    const before = this.noted.get(statement.seat)?.get(statement.index - 1);
    const linked = before !== undefined && equalBytes(taggedHash(LABEL_STATEMENT, before.body), statement.previous);
    return linked ? before : null;
  }

  /** The first statement of a seat over more than `number` entries, if the one before it is known. */
  #step(seat, number) {
    const known = [...(this.noted.get(seat)?.values() ?? [])];
    return known.find((statement) => statement.count > number && (this.#before(statement)?.count ?? Infinity) <= number) ?? null;
  }

  /** Whether the first statement over more than `number` entries does not show why the record there stays. */
  #isBare({kind, content, count}, number) {
    if (kind === 'BACK' && content[0] === number && content.length > 1) {
      return false;
    }
    const entry = this.#firstBehind(number);
    return entry === null || entry.number >= count;
  }

  /** Takes note of a statement that was judged. */
  add(statement) {
    const {seat, index, kind, content} = statement;
    if (!this.noted.has(seat)) {
      this.noted.set(seat, new Map());
    }
    this.noted.get(seat).set(index, statement);
    if (kind === 'AWAY') {
      this.#addAway(statement);
    } else if (kind === 'BACK') {
      const [number, release] = content;
      const backs = this.backs.get(number) ?? new Set();
      this.backs.set(number, backs.add(release === undefined ? seat : parseStatement(release).seat));
    }
  }

  #addAway(statement) {
    const {seat, count, content: [accused]} = statement;
    const claims = this.claims.get(count) ?? new Map();
    this.claims.set(count, claims);
    const name = `${seat} ${accused}`;
    if (!claims.has(name)) {
      claims.set(name, statement);
    }
    if (accused === this.referee.owing[count]) {
      this.#watch(count);
    }
  }

  /** Takes note of an entry or a fold that was appended. */
  appended(entry) {
    const {owing} = this.referee;
    if (!entry.folded) {
      this.open = this.open.filter((number) => owing[number] === entry.seat);
    }
    this.#watch(entry.number);
  }

  #watch(number) {
    if (this.#stands(number) && !this.open.includes(number) && this.away(number).size > 0
      && isMany(this.place(number)) && this.#built(number) === null) {
      this.open.push(number);
      this.open.sort((first, other) => first - other);
    }
  }

  // Judging

  /** Whether the author of an entry at the head builds on a record that it called away. */
  checkEntry(entry) {
    for (const number of this.open) {
      if (this.referee.owing[number] !== entry.seat) {
        const built = {seat: entry.seat, backs: this.#released(entry, number)};
        this.#judge(number, {built}, 'entry', entry.number);
      }
    }
  }

  /** Whether the signer of an AWAY has gone on behind the record of the seat that it calls away. */
  checkAway({seat, count, content}) {
    if (this.#stands(count) && content[0] === this.referee.owing[count]) {
      this.#judge(count, {built: this.#built(count), away: new Set([seat])}, 'statement', count);
    }
  }

  checkBack(statement) {
    const {seat, count, content: [number, release]} = statement;
    if (number < count && this.#stands(number)) {
      const place = this.place(number);
      const others = place.present.filter((other) => other !== place.owner);
      const who = release === undefined ? seat : this.#vouched(statement, others);
      if (isMany(place) && others.includes(seat) && who !== null) {
        this.#judge(number, {built: this.#built(number), backs: new Set([who])}, 'statement', count);
        return;
      }
    }
    throw new Violation(seat, 'statement', count, 'false-back');
  }

  /** The seat whose BACK the release of a BACK holds; null unless it is right. */
  #vouched({seat, count, content: [number, release]}, others) {
    const back = parsed(release);
    const fits = back !== null && back.seat !== seat && others.includes(back.seat) && this.#isBack(back, number, count);
    return fits ? back.seat : null;
  }

  /** Whether a seat that called an owner away signs over the record first by what shows not why it stays. */
  checkOver(statement) {
    const before = this.claims.size > 0 ? this.#before(statement) : null;
    if (before === null || before.count === statement.count) {
      return;
    }
    const [seat, number] = [statement.seat, before.count];
    if (this.#stands(number) && this.away(number).has(seat) && this.#isBare(statement, number)) {
      this.#judge(number, {built: this.#built(number), bare: new Set([seat])}, 'statement', statement.count);
    }
  }

  /** Refuses an entry that is not the Gone of the decider, with the AWAYs of all accusers. */
  checkGone({number, seat}, message) {
    const place = this.place(number);
    if (place.owner !== null && message.seat === place.owner && isMany(place) && seat === deciderOf(place)) {
      const accusers = accusersOf(place);
      const complete = message.aways.length === accusers.length
        && accusers.every((accuser, at) => this.#isAway(message.aways[at], accuser, number, place.owner));
      if (complete) {
        return;
      }
    }
    throw new Violation(seat, 'entry', number, 'false-gone');
  }

  /** Whether somebody had it both ways, where a right Gone meets the owner's record. */
  checkSuperseding({number}) {
    const place = this.place(number);
    const bare = [...this.noted.keys()].filter((seat) => {
      const first = this.#step(seat, number);
      return first !== null && this.#isBare(first, number);
    });
    const grounds = {built: this.#built(number), away: new Set(accusersOf(place)), bare: new Set(bare), gone: true};
    this.#judge(number, grounds, 'entry', number);
  }

  #judge(number, grounds, what, at) {
    const {built, away = NOBODY, backs = NOBODY, bare = NOBODY, gone = false} = grounds;
    const later = [...this.noted].filter(([, known]) => [...known.values()].some(({count}) => count > number));
    const culprit = bothWays(this.place(number), {
      built,
      bare,
      gone,
      away: new Set([...this.away(number).keys(), ...away]),
      backs: new Set([...(this.backs.get(number) ?? []), ...backs]),
      later: new Set(later.map(([seat]) => seat)),
    });
    if (culprit !== null) {
      throw new Violation(culprit, what, at, 'both-ways');
    }
  }

  #isSigned(seat, payload) {
    const {id, players} = this.referee.genesis;
    const signed = joinBytes(id, bodyOf(payload));
    return seat < players.length && isSigned(players[seat].key, LABEL_SIGN_STATEMENT, signed, signatureOf(payload));
  }

  #isAway(payload, seat, number, owner) {
    const away = parsed(payload);
    return away !== null && away.kind === 'AWAY' && away.seat === seat && away.content[0] === owner
      && away.count === number && equalBytes(away.head, this.referee.heads[number]) && this.#isSigned(seat, payload);
  }

  /** The seats whose BACKs over place `number` an entry carries. */
  #released(entry, number) {
    const backs = entry.release.map(parsed).filter((back) => back !== null && this.#isBack(back, number, entry.number));
    return new Set(backs.map((back) => back.seat));
  }

  /** Whether a released statement is a signed BACK over place `number`, and over at most `most` entries. */
  #isBack({kind, content, count, head, seat, payload}, number, most) {
    return kind === 'BACK' && content.length === 1 && content[0] === number && number < count && count <= most
      && equalBytes(head, this.referee.heads[count]) && this.#isSigned(seat, payload);
  }
}

function parsed(payload) {
  try {
    return parseStatement(payload);
  } catch (error) {
    if (error instanceof Malformed) {
      return null;
    }
    throw error;
  }
}
