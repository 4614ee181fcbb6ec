import { ConfigError } from "../base/processes/startup-error.ts";
import { EVM_DEVELOPMENT_CHAINS } from "./evm.ts";
import { TRON_PUBLIC_CHAINS } from "./tron.ts";

/** In the sandbox anyone sets prices and moves time: with a live chain beside it, that is real money. */
export function refuseLiveChains(value: {
  EVM_RPC_URL?: unknown;
  EVM_CHAIN_ID: number;
  TRON_RPC_URL?: unknown;
  TRON_CHAIN_ID: number;
}): void {
  const live = [
    ...(value.EVM_RPC_URL !== undefined && !EVM_DEVELOPMENT_CHAINS.has(value.EVM_CHAIN_ID)
      ? [`EVM_CHAIN_ID ${value.EVM_CHAIN_ID}`]
      : []),
    ...(value.TRON_RPC_URL !== undefined && TRON_PUBLIC_CHAINS.has(value.TRON_CHAIN_ID)
      ? [`TRON_CHAIN_ID ${value.TRON_CHAIN_ID}`]
      : []),
  ];
  if (live.length > 0)
    throw new ConfigError(
      `${live.join(" and ")} beside the sandbox: set SANDBOX=off, or use the node of a local chain`,
    );
}

/** No two of them may be one port; undefined ones are off. */
export function refuseSharedPorts(ports: Record<string, number | undefined>): void {
  const users = new Map<number, string>();
  for (const [name, port] of Object.entries(ports)) {
    if (port === undefined) continue;
    const other = users.get(port);
    if (other !== undefined) throw new ConfigError(`${name} must differ from ${other}`);
    users.set(port, name);
  }
}
