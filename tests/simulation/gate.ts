import type { TransactionProbe } from "../../server/db/transaction.ts";
import type { NetworkReader, NetworkWallet } from "../../server/chains/port.ts";

/** Where a process is: around a call of a port, or around a commit. */
export type GatePoint = "call" | "before commit" | "after commit";

/** What a port computes without I/O. */
const LOCAL_CALLS = new Set(["parseAddress", "parseMemo", "depositAddress", "depositUri", "hotAddress", "maxCost"]);

/** Everything that a process does to the simulation passes through here, so that the simulation can stop it, let others go first, or end it. */
export class Gate {
  readonly #pass: (point: GatePoint) => Promise<void>;

  constructor(pass: (point: GatePoint) => Promise<void>) {
    this.#pass = pass;
  }

  get probe(): TransactionProbe {
    return {
      beforeCommit: () => this.#pass("before commit"),
      afterCommit: () => this.#pass("after commit"),
    };
  }

  wrap<Port extends NetworkReader & NetworkWallet>(inner: Port): Port {
    return new Proxy(inner, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
        if (LOCAL_CALLS.has(String(name))) return call;
        return async (...args: unknown[]) => {
          await this.#pass("call");
          const result = await call(...args);
          await this.#pass("call");
          return result;
        };
      },
    });
  }
}
