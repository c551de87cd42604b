// spec/spies.md, section 6: who runs russia.

import type { Part } from "../../asks.js";
import { choose, read } from "./cards.js";
import { pay, prove } from "./purse.js";
import { dealtTiles, mixTiles } from "./setup.js";
import { FIRST_YEAR, MOST_IN_PURSE, range, RUSSIA } from "./tables.js";
import type { World } from "./world.js";

/** The first bidding, before russia's secrets are laid. */
export function* firstRussia(w: World): Part<void> {
  const { winner, tied } = yield* bidding(w);
  const seat = winner ?? tied[0];
  if (seat === undefined) return;
  w.powers[RUSSIA].seat = seat;
  const secrets = w.secrets.filter(({ power }) => power === RUSSIA);
  yield { ask: "give", slots: [...secrets.map(({ slot }) => slot), ...dealtTiles(RUSSIA)], seat };
  for (const secret of secrets) secret.holder = seat;
  yield* mixTiles(w, RUSSIA);
}

/** At the head of russia's turn, from the second year on. */
export function* bidForRussia(w: World): Part<boolean> {
  if (!w.russiaIsBidFor || w.year === FIRST_YEAR || w.runner(RUSSIA) === null) return false;
  const { winner } = yield* bidding(w);
  if (winner !== null) yield* handRussiaTo(w, winner);
  return true;
}

/** Under 2 standard, before germany's turn. */
export function* alternateRussia(w: World): Part<void> {
  if (w.russiaAlternates && w.year > FIRST_YEAR) yield* handRussiaTo(w, (w.year - FIRST_YEAR) % 2);
}

function* handRussiaTo(w: World, seat: number): Part<void> {
  const russia = w.powers[RUSSIA];
  if (russia.seat === seat) return;
  russia.seat = seat;
  const spies = russia.spies.filter((spy) => spy.face === null && spy.fate === "board");
  const secrets = w.secrets.filter(({ power, fate, face }) => power === RUSSIA && fate !== "gone" && face === null);
  const slots = [
    ...secrets.map(({ slot }) => slot),
    ...russia.tiles,
    ...spies.map(({ slot }) => slot),
    ...russia.police.map(({ slot }) => slot),
    ...russia.chits,
    ...(russia.purse.hidden ?? []),
  ];
  yield { ask: "give", slots: slots.sort((a, b) => a - b), seat };
  for (const card of [...secrets, ...spies]) card.holder = seat;
  for (const secret of w.secrets) {
    if (secret.fate === "play" && secret.face === null && w.controller(secret) === RUSSIA) yield* read(w, secret, seat);
  }
}

type Bids = { winner: number | null; tied: number[] };

function* bidding(w: World): Part<Bids> {
  const { purseIsSecret } = w.settings;
  let tied = w.seatsThere;
  let top = 0;
  for (let round = 0; ; round += 1) {
    const asked = round === 0 || purseIsSecret ? tied : tied.filter((seat) => most(w, seat) > top);
    if (asked.length === 0) return { winner: null, tied };
    const least = round === 0 ? 0 : top + 1;
    const asks = asked.map((seat) => {
      const bids = range(most(w, seat) + 1 - least, least).map((pounds) => `bid ${pounds}`);
      return { ask: "choose", seat, options: new Set(round > 0 && purseIsSecret ? [...bids, "no more"] : bids) } as const;
    });
    const answers: (string | null)[] = yield { ask: "together", asks };
    const bids = new Map<number, number>();
    for (const [i, answer] of answers.entries()) {
      if (answer === null) continue;
      const hasMore = answer !== "no more";
      const pounds = hasMore ? Number(answer.slice("bid ".length)) : top;
      yield* proveBid(w, asked[i], pounds, !hasMore);
      if (hasMore) bids.set(asked[i], pounds);
    }
    if (bids.size === 0) return { winner: null, tied };
    top = Math.max(...bids.values());
    tied = [...bids.keys()].filter((seat) => bids.get(seat) === top);
    if (top === 0) return { winner: null, tied };
    if (tied.length === 1) {
      yield* payBid(w, tied[0], top);
      return { winner: tied[0], tied };
    }
  }
}

function known(w: World, seat: number): number {
  return w.powersOf[seat].reduce((sum, power) => sum + w.powers[power].purse.known, 0);
}

function most(w: World, seat: number): number {
  return w.settings.purseIsSecret ? MOST_IN_PURSE : known(w, seat);
}

function* proveBid(w: World, seat: number, pounds: number, leavesNothing: boolean): Part<void> {
  const constant = known(w, seat) - pounds;
  if (!leavesNothing && constant >= 0) return;
  const [before, amount] = w.powersOf[seat].map((power) => w.powers[power].purse.hidden);
  yield* prove(w, seat, { sign: 1, before, amount: amount ?? null, constant, leavesNothing });
}

function* payBid(w: World, seat: number, pounds: number): Part<void> {
  const [first, second] = w.powersOf[seat];
  if (second === undefined) {
    yield* pay(w, first, pounds);
    return;
  }
  const { purseIsSecret } = w.settings;
  const has = (power: number, part: number) => purseIsSecret || part <= w.powers[power].purse.known;
  const parts = range(pounds + 1).filter((part) => has(first, part) && has(second, pounds - part));
  const answer = yield* choose(seat, parts.map((part) => `pay ${part} ${pounds - part}`));
  if (answer === null) return;
  const [, ...numbers] = answer.split(" ");
  yield* pay(w, first, Number(numbers[0]));
  yield* pay(w, second, Number(numbers[1]));
}
