import type { TransactionProbe } from "../../../server/db/transaction.ts";
import type { CardProvider } from "../../../server/card/port.ts";
import type { LiquidityPartner } from "../../../server/liquidity/port.ts";
import type { NetworkReader, NetworkWallet } from "../../../server/chains/port.ts";

/** Calls of a port without I/O. Every other call has points, also one that is added later. */
const LOCAL_CALLS = new Set([
  "parseAddress",
  "depositAddress",
  "depositUri",
  "hotAddress",
  "maxCost",
  "trades",
  "callback",
]);

/** The point at which a transaction is open. */
export const BEFORE_COMMIT = "transaction, not committed";

/**
 * Counts the points at which a process can die and dies at one of them. A call of a port has two (before it; its effect done but
 * not returned), a transaction two (returned but not committed; committed). Dying means that nothing in memory goes on: the
 * point never returns, and neither does any later one.
 */
export class CrashPoints {
  readonly names: string[] = [];
  readonly crashed: Promise<string>;
  readonly probe: TransactionProbe;
  readonly #crashAt: number;
  #isDead = false;
  #die: (name: string) => void;

  /** `crashAt` counts from 1; 0 never crashes. */
  constructor(crashAt: number) {
    this.#crashAt = crashAt;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.crashed = promise;
    this.#die = resolve;
    this.probe = {
      beforeCommit: () => this.#hit(BEFORE_COMMIT),
      afterCommit: () => this.#hit("transaction, committed"),
    };
  }

  get count(): number {
    return this.names.length;
  }

  reader(inner: NetworkReader): NetworkReader {
    return this.#wrap(inner);
  }

  wallet(inner: NetworkWallet): NetworkWallet {
    return this.#wrap(inner);
  }

  partner(inner: LiquidityPartner): LiquidityPartner {
    return this.#wrap(inner);
  }

  card(inner: CardProvider): CardProvider {
    return this.#wrap(inner);
  }

  #wrap<Port extends NetworkReader | NetworkWallet | LiquidityPartner | CardProvider>(inner: Port): Port {
    return new Proxy(inner, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
        if (LOCAL_CALLS.has(String(name))) return call;
        return async (...args: unknown[]) => {
          await this.#hit(`${String(name)}, before`);
          const result = await call(...args);
          await this.#hit(`${String(name)}, done but not returned`);
          return result;
        };
      },
    });
  }

  async #hit(name: string): Promise<void> {
    if (!this.#isDead) {
      this.names.push(name);
      if (this.names.length !== this.#crashAt) return;
      this.#isDead = true;
      this.#die(name);
    }
    await new Promise<never>(() => undefined);
  }
}

/**
 * Runs a scenario in one process after the other: each of the first ones dies at its point of `crashes`, the last one ends the scenario.
 * Returns the points where they died, and those that the last one came through.
 */
export async function liveThroughCrashes(
  crashes: readonly number[],
  live: (points: CrashPoints) => Promise<string | null>,
): Promise<{ died: string[]; last: CrashPoints }> {
  const died: string[] = [];
  for (const crashAt of crashes) {
    const name = await live(new CrashPoints(crashAt));
    if (name !== null) died.push(name);
  }
  const last = new CrashPoints(0);
  await live(last);
  return { died, last };
}
