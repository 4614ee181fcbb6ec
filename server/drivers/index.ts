import { PROFILES } from "../chains/simulated/profiles.ts";
import { createSandboxMarket } from "../rates/market/sandbox.ts";
import { openBitcoinFamily } from "./bitcoin.ts";
import type { DriverParts, OpenNetwork } from "./driver.ts";
import { ethereumNetwork, type Ethereum } from "./ethereum.ts";
import { openMonero } from "./monero.ts";
import { playNetworks } from "./simulated.ts";
import { openTron } from "./tron.ts";

export type { OpenNetwork } from "./driver.ts";
export { openEthereum } from "./ethereum.ts";

/** Networks that the sandbox plays where no node serves them. */
export const PLAYED_NETWORKS: ReadonlySet<string> = new Set(PROFILES.keys());

/** Opens every network that is configured; the sandbox plays the others. Each network has one driver. */
export async function openNetworks(parts: DriverParts & { ethereum: Ethereum | null }): Promise<OpenNetwork[]> {
  const { config, database, catalogue, status, ethereum } = parts;
  const monero = openMonero(parts);
  const tron = openTron(parts);
  const networks = [
    ...(ethereum === null ? [] : [ethereumNetwork(ethereum, parts)]),
    ...(monero === null ? [] : [monero]),
    ...openBitcoinFamily(parts),
    ...(tron === null ? [] : [tron]),
  ];
  if (!config.sandbox) return networks;
  const played = await playNetworks({
    database,
    catalogue,
    served: new Set(networks.map(({ reader }) => reader.networkTitle)),
    isWorker: config.roles.worker,
    market: createSandboxMarket(),
    onPaused: status.setPaused,
  });
  return [...networks, ...played];
}
