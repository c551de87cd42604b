// spec/spies.md, section 4: the turn of a power.

import { broken, type Part } from "../../asks.js";
import { choose, draw, mayPlay } from "./cards.js";
import { step } from "./leaving.js";
import { discovery, drop, escape, havenNamed, mayDiscover, recruit, sanction, search } from "./pieces.js";
import { relayPolice } from "./police.js";
import {
  ALL_CITIES, ALL_POWERS, CAPITALS, CITIES, cityNamed, COUSIN, DIE, HAVENS, LINKS, MOST_HANDOVERS, MOST_PROPOSALS, MOST_SPACES,
  POINTS_OF_A_TURN, POWERS, powerNamed, RUSSIA, SEAS, TILE_CRISIS, TILE_PACT, TILES, VOYAGES, type ChitName,
} from "./tables.js";
import { mayPropose, secretNamed, trade } from "./trade.js";
import type { Secret, Spy, World } from "./world.js";

const CASH_POUNDS = 20;
const CRISIS_YEAR = 1938;

export class Turn {
  private readonly w: World;
  private readonly power: number;
  private readonly seat: number;
  private laid = false;
  private readonly searched = new Set<number>();
  private spiesActed = false;
  private handovers = 0;
  private proposals = 0;
  private readonly talks = new Set<number>();
  /** The spy that moves, and those that have moved. */
  private walker: Spy | null = null;
  private readonly walked = new Set<Spy>();

  constructor(w: World, power: number) {
    this.w = w;
    this.power = power;
    this.seat = w.powers[power].seat!;
  }

  *play(): Part<void> {
    const { w, power } = this;
    w.mover = power;
    w.points = POINTS_OF_A_TURN;
    for (const spy of w.allSpies) spy.spaces = 0;
    if (!w.onlySearches(power)) {
      yield* this.tile();
      yield* step(w);
    }
    for (let goesOn = true; goesOn && !w.left.has(this.seat); ) goesOn = yield* this.action();
    w.mover = null;
  }

  // The tile.

  private *tile(): Part<void> {
    const { w, seat } = this;
    const { tiles } = w.powers[this.power];
    const answer = yield* choose(seat, [...tiles.map((slot) => `tile ${slot}`), ...tiles.map((slot) => `discard ${slot}`), "no tile"]);
    if (answer === null) return;
    const fitting = TILES.filter(({ years }) => years[0] <= w.year && w.year <= years[1]).map(({ face }) => face);
    if (answer === "no tile") {
      const others = TILES.map(({ face }) => face).filter((face) => !fitting.includes(face));
      yield { ask: "claim", seat, rule: "false-none", slots: [...tiles], faces: others };
      return;
    }
    const [verb, word] = answer.split(" ");
    const slot = Number(word);
    tiles.splice(tiles.indexOf(slot), 1);
    if (verb === "discard") {
      yield { ask: "claim", seat, rule: "false-discard", slots: [slot], faces: fitting };
      return;
    }
    const face: number | null = yield { ask: "open", slot };
    if (face === null) return;
    if (!fitting.includes(face)) throw broken(seat, "wrong-year");
    yield* this.playTile(face);
  }

  private *playTile(face: number): Part<void> {
    const { w, power } = this;
    const tile = TILES.find((other) => other.face === face)!;
    w.points -= 1;
    if (tile.coloured) w.powers[power].tilesPlayed += 1;
    w.gain(face);
    if (face === TILE_CRISIS && w.year === CRISIS_YEAR) w.lastYear = w.year;
    if (face === TILE_PACT && power === RUSSIA && w.russiaIsBidFor) w.pact = true;
    for (const { city, chits, pounds } of tile.awards) {
      const there = w.spiesIn(city).map((spy) => spy.power);
      for (const other of ALL_POWERS) {
        if (!there.includes(other) || w.territory(city) === other) continue;
        w.powers[other].purse.known += pounds;
        if (chits > 0) yield* draw(w, other, chits);
      }
    }
  }

  // Actions.

  /** Whether the turn goes on. */
  private *action(): Part<boolean> {
    const { w } = this;
    const answer = yield* choose(this.seat, this.options());
    const goesOn = answer !== null && answer !== "end";
    if (goesOn) yield* this.carryOut(answer.split(" "));
    if (!goesOn) return false;
    yield* step(w);
    return true;
  }

  private options(): string[] {
    const { w, power } = this;
    if (w.onlySearches(power)) return [...this.searches(), "end"];
    const police = this.laid || this.searched.size > 0 || this.spiesActed ? [] : ["police"];
    return [...police, ...this.searches(), ...this.ways(), ...this.handings(), ...this.chits(), ...this.diplomacy(), "end"];
  }

  private foesIn(city: number): Spy[] {
    return this.w.spiesIn(city).filter((spy) => this.w.areFoes(this.power, spy.power));
  }

  private searches(): string[] {
    const { w, power } = this;
    if (this.spiesActed || w.points < 1) return [];
    const cities = ALL_CITIES.filter((city) => w.policeIn(power, city).length > 0 && this.foesIn(city).length > 0);
    return cities.filter((city) => !this.searched.has(city)).map((city) => `search ${CITIES[city].name}`);
  }

  private get spies(): Spy[] {
    return this.w.powers[this.power].spies;
  }

  private get onBoard(): Spy[] {
    return this.spies.filter((spy) => spy.city !== null);
  }

  private mayWalk(spy: Spy): boolean {
    return this.w.points >= 1 && spy.spaces < MOST_SPACES && (this.walker === spy || !this.walked.has(spy));
  }

  private ways(): string[] {
    const { w } = this;
    return this.onBoard.filter((spy) => this.mayWalk(spy)).flatMap((spy) => {
      const links = LINKS[spy.city!].map((city) => `move ${spy.name} ${CITIES[city].name}`);
      const maySail = w.points >= 2 && spy.spaces + 2 <= MOST_SPACES;
      const seas = maySail ? SEAS.filter(({ ports }) => ports.includes(spy.city!)) : [];
      return [...links, ...seas.map(({ name }) => `sail ${spy.name} ${name}`)];
    });
  }

  private mayTake(spy: Spy, secret: Secret): boolean {
    const { w, power } = this;
    if (spy.carries !== null) return false;
    const controller = w.controller(secret);
    return controller === null ? secret.power === power && w.territory(secret.city) === power : controller === power;
  }

  private handings(): string[] {
    const { w, power } = this;
    return this.onBoard.flatMap((spy) => {
      const secret = spy.carries;
      const city = spy.city!;
      if (this.handovers >= MOST_HANDOVERS) return [];
      if (secret === null) {
        return w.secretsIn(city).filter((other) => this.mayTake(spy, other)).map((other) => `take ${spy.name} ${CITIES[other.home].name}`);
      }
      const mayLeave = secret.power !== power || city === secret.home;
      return [
        ...(mayLeave && w.freePolice(power, city) > 0 ? [`give ${spy.name}`] : []),
        ...(mayLeave ? [`leave ${spy.name}`] : []),
      ];
    }).concat(this.onBoard.filter((spy) => this.mayCash(spy)).map((spy) => `cash ${spy.name}`));
  }

  private mayCash(spy: Spy): boolean {
    return spy.carries !== null && spy.carries.power !== this.power && spy.city === CAPITALS[this.power];
  }

  private chits(): string[] {
    const { w, power } = this;
    const ends = new Map<ChitName, string[]>([
      ["discovery", this.onBoard.flatMap((spy) =>
        w.secretsIn(spy.city!).filter((secret) => mayDiscover(w, spy, secret)).map((secret) => `${spy.name} ${CITIES[secret.home].name}`))],
      ["sanction", this.onBoard.filter((spy) => !CITIES[spy.city!].haven).flatMap((spy) =>
        this.foesIn(spy.city!).map((victim) => `${spy.name} ${victim.name}`))],
      ["drop", this.onBoard.filter((spy) =>
        spy.carries !== null && spy.carries.power !== power && !CITIES[spy.city!].haven).map(({ name }) => name)],
      ["escape", this.spies.filter((spy) => spy.fate === "captured").flatMap((spy) => HAVENS.map((city) => `${spy.name} ${CITIES[city].name}`))],
      ["recruit", this.spies.filter((spy) => spy.fate === "killed" && spy.face !== COUSIN).flatMap((spy) =>
        ALL_CITIES.filter((city) => w.territory(city) === power).map((city) => `${spy.name} ${CITIES[city].name}`))],
    ]);
    return [...ends].filter(([name]) => mayPlay(w, power, name)).flatMap(([name, all]) =>
      w.powers[power].chits.flatMap((slot) => all.map((end) => `${name} ${slot} ${end}`)));
  }

  private diplomacy(): string[] {
    const { w, power, talks } = this;
    const others = ALL_POWERS.filter((other) => w.runner(other) !== null && !w.onlySearches(other) && w.areFoes(power, other));
    const open = this.proposals < MOST_PROPOSALS ? others.filter((other) => talks.has(other) && mayPropose(w, power, other)) : [];
    const closed = w.points >= 1 ? others.filter((other) => !talks.has(other)) : [];
    return [...open.map((other) => `propose ${POWERS[other].name}`), ...closed.map((other) => `diplomacy ${POWERS[other].name}`)];
  }

  private *carryOut([verb, ...words]: string[]): Part<void> {
    const { w, power } = this;
    if (verb === "diplomacy") {
      w.points -= 1;
      this.talks.add(powerNamed(words[0]));
      return;
    }
    if (verb === "propose") {
      this.proposals += 1;
      yield* trade(w, power, powerNamed(words[0]));
      return;
    }
    this.talks.clear();
    if (verb === "police") {
      this.laid = true;
      yield* relayPolice(w, power);
      return;
    }
    if (verb === "search") {
      yield* this.searchCity(cityNamed(words[0]));
      return;
    }
    this.spiesActed = true;
    if (verb in this.byChit) {
      yield* this.byChit[verb](Number(words[0]), w.spyNamed(words[1]), words[2]);
    } else {
      yield* this.bySpy[verb](w.spyNamed(words[0]), words[1]);
    }
  }

  private readonly byChit: { [verb: string]: (chit: number, spy: Spy, word: string) => Part<void> } = {
    discovery: (chit, spy, word) => discovery(this.w, chit, spy, secretNamed(this.w, word)),
    sanction: (chit, spy, word) => sanction(this.w, chit, spy, this.w.spyNamed(word)),
    drop: (chit, spy) => drop(this.w, chit, spy),
    escape: (chit, spy, word) => escape(this.w, chit, spy, havenNamed(word)),
    recruit: (chit, spy, word) => recruit(this.w, chit, spy, cityNamed(word)),
  };

  private readonly bySpy: { [verb: string]: (spy: Spy, word: string) => Part<void> } = {
    move: (spy, word) => this.move(spy, cityNamed(word)),
    sail: (spy, word) => this.sail(spy, SEAS.findIndex(({ name }) => name === word)),
    take: (spy, word) => this.hand(secretNamed(this.w, word), spy),
    give: (spy) => this.hand(spy.carries!, "police"),
    leave: (spy) => this.hand(spy.carries!, null),
    cash: (spy) => this.cash(spy),
  };

  private *searchCity(city: number): Part<void> {
    const { w } = this;
    w.points -= 1;
    this.searched.add(city);
    const done = new Set<Spy>();
    for (;;) {
      const left = this.foesIn(city).filter((spy) => !done.has(spy));
      if (left.length === 0) return;
      const answer = yield* choose(this.seat, [...left.map(({ name }) => name), ...(done.size > 0 ? ["end"] : [])]);
      if (answer === null || answer === "end") return;
      const spy = w.spyNamed(answer);
      done.add(spy);
      yield* search(w, this.power, spy);
    }
  }

  // Moves.

  private walk(spy: Spy): void {
    if (this.walker !== null) this.walked.add(this.walker);
    this.walker = spy;
    this.walked.delete(spy);
  }

  private spend(spy: Spy, spaces: number): void {
    this.w.points -= spaces;
    spy.spaces += spaces;
  }

  private *move(spy: Spy, city: number): Part<void> {
    this.walk(spy);
    this.spend(spy, 1);
    yield* this.arrive(spy, city);
  }

  private *sail(spy: Spy, sea: number): Part<void> {
    const { w } = this;
    this.walk(spy);
    for (;;) {
      this.spend(spy, 1);
      const drawn: number = yield { ask: "roll", sides: DIE.length };
      const left = Math.min(w.points, MOST_SPACES - spy.spaces);
      const ports = [...VOYAGES[sea]].filter(([port, length]) => port !== spy.city && length <= DIE[drawn] && length - 1 <= left);
      const options = [...ports.map(([port]) => `land ${CITIES[port].name}`), ...(left >= 2 ? ["again"] : []), "stay"];
      const answer = yield* choose(this.seat, options);
      if (answer === "again") continue;
      if (answer === null || answer === "stay") return;
      const port = cityNamed(answer.slice("land ".length));
      this.spend(spy, VOYAGES[sea].get(port)! - 1);
      yield* this.arrive(spy, port);
      return;
    }
  }

  private *arrive(spy: Spy, city: number): Part<void> {
    const { w } = this;
    w.travel(spy, city);
    for (const power of ALL_POWERS) {
      const seat = w.runner(power);
      if (seat === null || !w.areFoes(power, spy.power) || w.policeIn(power, city).length === 0) continue;
      const answer = yield* choose(seat, ["search", "pass"]);
      if (answer === "search") yield* search(w, power, spy);
    }
  }

  // Secrets.

  private *hand(secret: Secret, to: Spy | "police" | null): Part<void> {
    const { w, power } = this;
    this.handovers += 1;
    w.setControl(secret, to === null ? null : to === "police" ? { by: "police", power } : { by: "spy", spy: to });
  }

  private *cash(spy: Spy): Part<void> {
    const { w, power } = this;
    const secret = spy.carries!;
    w.powers[power].record.secrets.push({ secret, year: secret.yearOfLoss! });
    spy.carries = null;
    secret.control = null;
    secret.fate = "cashed";
    w.powers[power].purse.known += CASH_POUNDS;
    yield* draw(w, power, 1);
  }
}
