// spec/spies.md, section 9; and the end of a step (6.3).

import type { Part } from "../../asks.js";
import { open } from "./cards.js";
import type { World } from "./world.js";

/** ■ */
export function* step(w: World): Part<void> {
  for (;;) {
    const left: number | null = yield { ask: "step" };
    if (left === null) return;
    yield* leave(w, left);
  }
}

function* leave(w: World, seat: number): Part<void> {
  w.left.add(seat);
  const powers = w.powers.filter((power) => power.seat === seat);
  for (const { spies, police, power } of powers) {
    for (const spy of spies) if (spy.city !== null) yield* open(spy);
    for (const unit of police) unit.face = yield { ask: "open", slot: unit.slot };
    for (const secret of w.secrets) if (secret.power === power) yield* open(secret);
  }
}
