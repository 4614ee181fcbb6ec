import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";

const TIMEOUT_MS = 3_000;
const TRIES = 2;

/** The addresses of a name; throws where it has none, or the signal comes first. */
export type AddressesOf = (name: string, signal: AbortSignal) => Promise<LookupAddress[]>;

/**
 * By a resolver of its own, which waits for nobody's thread. `dns.lookup` has four for the whole process: names that others choose, with
 * name servers that don't answer, would hold up the names of our nodes and of the mail server. `servers` replaces those of the machine.
 */
export function createNameLookup(servers: readonly string[] = []): AddressesOf {
  return async (name, signal) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const found = [
        ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 })) : []),
        ...(v6.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 })) : []),
      ];
      if (found.length === 0 && v4.status === "rejected") throw v4.reason;
      return found;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
}
