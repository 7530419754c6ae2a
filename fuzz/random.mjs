// A small seeded generator of random choices: the same seed makes the same programs everywhere.

/** Random choices from a seed. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to 1, exclusive. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 up to `end`, exclusive. */
  below(end) {
    return Math.floor(this.next() * end);
  }

  /** Whether something of that probability happens. */
  chance(probability) {
    return this.next() < probability;
  }

  /** One of the items. */
  pick(items) {
    return items[this.below(items.length)];
  }
}

/** The generator of one case of a run, so that any case can be made again alone. */
export function caseRandom(seed, index) {
  return new Random(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
}
