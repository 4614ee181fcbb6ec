import { setTimeout as delay } from "node:timers/promises";
import { StartupError } from "../base/processes/startup-error.ts";
import { WrongChainError, type NetworkReader } from "./port.ts";

const WITHIN_MS = 3_000;

type Node = Pick<NetworkReader, "networkTitle" | "head">;

/**
 * Asks nodes for their chains, and returns those that serve another one than they should, with what they say. A node that doesn't
 * answer is not among them: it is asked again with every later call, and refused then.
 */
export async function findWrongChains(nodes: readonly Node[]): Promise<{ network: string; reason: string }[]> {
  const late = delay(WITHIN_MS, null, { ref: false });
  const found = await Promise.all(
    nodes.map(async ({ networkTitle: network, head }) => {
      const failure = await Promise.race([
        late,
        head().then(
          () => null,
          (error: unknown) => error,
        ),
      ]);
      return failure instanceof WrongChainError ? [{ network, reason: failure.message }] : [];
    }),
  );
  return found.flat();
}

/** Throws `StartupError` before a database takes a chain on that its node does not serve. */
export async function refuseWrongChains(nodes: readonly Node[]): Promise<void> {
  const found = await findWrongChains(nodes);
  if (found.length === 0) return;
  const lines = found.map(({ network, reason }) => `${network}: ${reason}`);
  throw new StartupError(
    `A configured node serves another chain: use the node of the configured one, or set its chain.\n${lines.join("\n")}`,
  );
}
