// The markers on the board of Spies & Lies during one mission turn: points, agent, tokens, lasting effects.
// A ledger is the one mutable thing of these rules; it lives for one turn and notes each change as an effect.

import {SPIES_AND_LIES_DATA} from '../../game_data.mjs';

/** The values of a state that a turn can change. */
const LEDGER_PAIRS = ['points', 'tokens', 'active', 'blast', 'caught', 'double', 'moved'];

/** The board during one turn of `state`; pairs are by side. */
export class MissionLedger {
  /** @param {SpiesAndLiesState} state */
  constructor(state) {
    this.day = state.day;
    this.wall = state.wall;
    this.start = this.agent = state.agent;
    this.spare = state.spare;
    for (const pair of LEDGER_PAIRS) {
      this[pair] = [...state[pair]];
    }
    /** @type {?number} The side that has taken the enemy's flag. */
    this.flag = null;
    this.effects = [];
  }

  note(kind, side, amount = 0) {
    this.effects.push({kind, side, amount});
  }

  /** `side` has laid a deception token on its card, and gives it away. */
  layToken(side) {
    this.tokens[side] -= 1;
  }

  /** `side` scores; at 10 the marker returns and the agent moves as many steps as the day's number. */
  gain(side, points, keepsExcess = false) {
    this.note('points', side, points);
    const total = this.points[side] + points;
    if (total < SPIES_AND_LIES_DATA.infiltration) {
      this.points[side] = total;
      return;
    }
    this.points[side] = keepsExcess ? total - SPIES_AND_LIES_DATA.infiltration : 0;
    this.note('infiltrated', side, this.points[side]);
    this.push(side, this.day);
  }

  /**
   * `side` moves the agent.  The enemy wall stops it for this turn; a step takes the flag if the agent stood on that
   * wall when the turn began.
   */
  push(side, steps) {
    const done = this.agent * SPIES_AND_LIES_DATA.forward[side];
    if (done > this.wall) {
      return; // the flag is taken: the agent moves no further
    }
    if (done === this.wall && this.start !== this.agent) {
      this.note('wall', side, steps);
    } else if (done === this.wall) {
      this.#move(side, 1);
      this.flag = side;
      this.note('flag', side);
    } else {
      const made = Math.min(steps, this.wall - done);
      this.#move(side, made);
      this.note('agent', side, made);
      if (done + made === this.wall) {
        this.note('wall', side, steps - made);
      }
    }
  }

  #move(side, steps) {
    this.agent += SPIES_AND_LIES_DATA.forward[side] * steps;
    this.moved[side] += steps;
  }

  /** `side` is caught out of order: its moves of today are undone, not beyond its own wall; its marker falls to 0. */
  punish(side) {
    const forward = SPIES_AND_LIES_DATA.forward[side];
    const back = Math.min(this.moved[side], this.agent * forward + this.wall);
    this.caught[side] = true;
    this.moved[side] = 0;
    if (back > 0) {
      this.agent -= forward * back;
      this.note('undone', side, back);
    }
    if (this.points[side] > 0) {
      this.note('zeroed', side, this.points[side]);
      this.points[side] = 0;
    }
  }

  /** The guesser's blast, which waits, goes off; on an identified card it does double damage. */
  useBlast(guesser, identified) {
    this.blast[guesser] = false;
    this.note('blasted', guesser);
    if (identified && this.day < SPIES_AND_LIES_DATA.days) {
      this.double[1 - guesser] = true;
      this.note('double', 1 - guesser, 2);
    }
  }

  /** The effects of a soldier for `side` that need no choice; `soldier`: its line of the chart. */
  use(side, soldier) {
    if (soldier.points > 0) {
      this.gain(side, soldier.points, soldier.keepsExcess);
    }
    if (soldier.steps > 0) {
      this.push(side, soldier.steps);
    }
    if (soldier.winsToken) {
      this.#winToken(side);
    }
    if (soldier.lasts) {
      const ranks = new Set([...this.active[side], soldier.rank]);
      this.active[side] = [...ranks].sort((left, right) => left - right);
      this.note('in force', side, soldier.rank);
    }
    if (soldier.blast) {
      this.blast[side] = true;
      this.note('blast', side);
    }
  }

  #winToken(side) {
    if (this.spare > 0 && this.tokens[side] < SPIES_AND_LIES_DATA.tokensHeldAtMost) {
      this.spare -= 1;
      this.tokens[side] += 1;
      this.note('token', side, 1);
    }
  }

  /** The Marshal's second choice: `side` scores 5, then the enemy loses 5, not below 0. */
  raid(side) {
    const {raid} = SPIES_AND_LIES_DATA;
    this.gain(side, raid);
    const enemy = 1 - side;
    const lost = Math.min(raid, this.points[enemy]);
    if (lost > 0) {
      this.points[enemy] -= lost;
      this.note('lost', enemy, lost);
    }
  }

  /** These values after the turn, for the state behind it. */
  changes() {
    const {agent, spare, points, tokens, active, blast, caught, double, moved} = this;
    return {agent, spare, points, tokens, active, blast, caught, double, moved};
  }
}
