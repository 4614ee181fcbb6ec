/** A seeded stream of numbers: the same seed replays the same run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, less than 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    const picked = items[this.whole(0, items.length - 1)];
    if (picked === undefined) throw new Error("there is nothing to pick from");
    return picked;
  }

  /** One of the keys, as often as its weight says. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const entries = Object.entries<number>(weights).map(([key, weight]) => ({ key, weight }));
    let left = this.next() * entries.reduce((sum, { weight }) => sum + weight, 0);
    const found = entries.find(({ weight }) => (left -= weight) < 0);
    const key = Object.keys(weights).find((known): known is Key => known === found?.key);
    if (key === undefined) throw new Error("there is nothing to pick from");
    return key;
  }

  /** A stream of its own by name, independent of what is drawn from this one. */
  branch(name: string): Random {
    let hash = this.#state ^ 0x811c9dc5;
    for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
    return new Random(hash);
  }
}
