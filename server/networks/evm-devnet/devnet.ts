import { join, resolve } from "node:path";
import { getAddress, type Hex } from "viem";
import * as z from "zod";
import type { Log } from "../../log.ts";
import { controlsOf, DEEPEST_REORG, type ChainControls } from "./controls.ts";
import { claimChain } from "./instance.ts";
import { CHAIN_ID, openNode, stopNode } from "./node.ts";
import { sendTransfer } from "./sending.ts";
import { keepCopies } from "./state-file.ts";
import { deployTokens } from "./tokens.ts";
import { fundTreasury } from "./treasury.ts";

export type EvmDevnetOptions = {
  dataDir: string;
  port: number;
  log: Log;
  /** The treasury's wallet, which is filled up at each start. */
  hotAddress: string;
};

export type EvmDevnet = ChainControls & {
  rpcUrl: string;
  chainId: number;
  /** The address of each token's contract by its slug. */
  contracts: Record<string, string>;
  /** Pays minor units of `slug` (`eth` or a token) from the sandbox's own wallet with a real transaction; gives its id. */
  pay(payment: { to: string; slug: string; amount: bigint }): Promise<string>;
  /** Ends the node with its state written. */
  stop(): Promise<void>;
  /** Lets go of the node and leaves it running for the next start. */
  detach(): void;
};

/** The account that deploys and fills the treasury, and the one that plays the client. The server spends from no other. */
const FUNDER = 0;
const CLIENT = 1;
const NATIVE_SLUG = "eth";

/**
 * Attaches to the Ethereum devnet of this DATA_DIR or starts it, with its tokens deployed and the treasury funded. The node outlives
 * the server; only `stop` ends it. Throws when the port belongs to another program or no anvil is installed.
 */
export async function startEvmDevnet({ dataDir, port, log, hotAddress }: EvmDevnetOptions): Promise<EvmDevnet> {
  const folder = resolve(join(dataDir, "devnet-evm"));
  const { process: node, rpc, rpcUrl } = await openNode(folder, port, log);
  await claimChain(rpc, folder);
  const controls = controlsOf(rpcUrl);
  await controls.setPaused(false);

  const accounts = (await rpc.call("eth_accounts", [], z.array(z.string()))).map((account) => getAddress(account));
  const account = (index: number): Hex => {
    const found = accounts[index];
    if (found === undefined) throw new Error("the devnet does not hold its ten accounts");
    return found;
  };
  const contracts = await deployTokens(rpc, accounts, account(FUNDER));
  // Buried below what a reorg can undo, or the next one would take the treasury's funds away.
  if (await fundTreasury(rpc, contracts, account(FUNDER), getAddress(hotAddress)))
    await controls.mine(DEEPEST_REORG + 1);
  const endCopies = keepCopies(folder, log);

  const pay: EvmDevnet["pay"] = async ({ to, slug, amount }) => {
    const contract = slug === NATIVE_SLUG ? null : contracts[slug];
    if (contract === undefined) throw new Error(`the devnet has no ${slug}`);
    return sendTransfer(rpc, { from: account(CLIENT), to: getAddress(to), contract, amount });
  };
  const stop = async () => {
    endCopies();
    await stopNode(folder, node, log);
  };
  return { ...controls, rpcUrl, chainId: CHAIN_ID, contracts, pay, stop, detach: endCopies };
}
