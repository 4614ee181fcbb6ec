import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hex } from "viem";
import * as z from "zod";
import { freePort } from "../../../scripts/lib/free-port.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { loadOrCreateSandboxKeys, type EvmKeys } from "../../../server/devnet/evm/keys.ts";
import type { EvmNetworkOptions } from "../../../server/chains/evm/network.ts";
import { createEvmRpc } from "../../../server/chains/evm/rpc.ts";
import { startEvmDevnet, type EvmDevnet } from "../../../server/devnet/evm/devnet.ts";

export type EvmSetup = {
  dataDir: string;
  port: number;
  keys: EvmKeys;
  devnet: EvmDevnet;
  accounts: Hex[];
  /** The driver's options; over another URL when one is given. */
  options(rpcUrl?: string): EvmNetworkOptions;
  /** Calls the node directly, without the driver. */
  ask<Answer>(method: string, params: unknown[], answer: z.ZodType<Answer>): Promise<Answer>;
  end(): Promise<void>;
};

export const hex = z.string().transform((text) => text as Hex);
export const log = createLog({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" });

/** Long enough for a busy machine; tests of missing answers use less. */
const PATIENT_MS = 20_000;

/** A devnet of its own in a temporary folder. */
export async function startEvmSetup(): Promise<EvmSetup> {
  const dataDir = await mkdtemp(join(tmpdir(), "wherry-evm-"));
  const port = await freePort();
  const keys = await loadOrCreateSandboxKeys(dataDir);
  const devnet = await startEvmDevnet({ dataDir, port, log, hotAddress: keys.hotAddress });
  const rpc = createEvmRpc(devnet.rpcUrl, PATIENT_MS);
  const token = (slug: string, decimals: number) => ({
    slug,
    contractAddress: devnet.contracts[slug] ?? null,
    decimals,
  });
  return {
    dataDir,
    port,
    keys,
    devnet,
    accounts: await rpc.call("eth_accounts", [], z.array(hex)),
    options: (rpcUrl = devnet.rpcUrl) => ({
      networkTitle: "ETH",
      rpcUrl,
      chainId: devnet.chainId,
      timeoutMs: PATIENT_MS,
      instruments: [
        { slug: "eth", contractAddress: null, decimals: 18 },
        token("usdt-erc20", 6),
        token("usdc-erc20", 6),
        token("dai-erc20", 18),
      ],
    }),
    ask: (method, params, answer) => rpc.call(method, params, answer, { retryCount: 0 }),
    end: async () => {
      await devnet.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
