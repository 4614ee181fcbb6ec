import { getAddress, type Hex } from "viem";
import * as z from "zod";
import type { Log } from "../../base/logging/log.ts";
import { createQueue } from "../../base/concurrency/queue.ts";
import { createEvmRpc, type EvmRpc } from "../../chains/evm/rpc.ts";
import { quantitySchema } from "../../chains/evm/schemas.ts";
import { DevnetError } from "./anvil.ts";
import { checkChainMarker } from "./chain-marker.ts";
import { createEvmControls, MAX_REORG_DEPTH, type ChainControls } from "./controls.ts";
import { CHAIN_ID, devnetFolder, openNode } from "./node.ts";
import { superviseNode } from "./supervise-node.ts";
import { keepCopies } from "./state-file.ts";
import { deployTokens, findTokens, fundTreasury } from "./tokens.ts";
import { sendTransfer } from "./transactions.ts";

export type EvmDevnetOptions = {
  dataDir: string;
  port: number;
  log: Log;
  /** The treasury's wallet, which is funded at each start. */
  hotAddress: string;
};

export type EvmDevnet = ChainControls & {
  rpcUrl: string;
  chainId: number;
  /** The address of each token's contract by its slug. */
  contracts: Record<string, string>;
  /** Pays minor units of `slug` (`eth` or a token) from the sandbox's own wallet with a real transaction; resolves to its id. */
  pay(payment: { to: string; slug: string; amount: bigint }): Promise<string>;
  /** Ends the node with its state written. */
  stop(): Promise<void>;
  /** Detaches from the node and leaves it running for the next start. */
  detach(): void;
};

/** The account that deploys tokens and funds the treasury, and the one that pays as the customer. The server spends from no other. */
const FUNDER = 0;
const CUSTOMER = 1;
const NATIVE_SLUG = "eth";
const JOIN_TIMEOUT_MS = 5_000;
export { CHAIN_ID as DEVNET_CHAIN_ID } from "./node.ts";

/**
 * Attaches to the Ethereum devnet of this DATA_DIR or starts it, with its tokens deployed and the treasury funded. The node outlives the
 * server; only `stop` ends it, and one that ends otherwise is started again. Throws when the port belongs to another program or no anvil is
 * installed.
 */
export async function startEvmDevnet({ dataDir, port, log, hotAddress }: EvmDevnetOptions): Promise<EvmDevnet> {
  const folder = devnetFolder(dataDir);
  const node = await openNode(folder, port, log);
  const { rpc, rpcUrl } = node;
  await checkChainMarker(rpc, folder);
  const controls = createEvmControls(rpcUrl);
  await controls.setPaused(false);

  const accounts = await accountsOf(rpc);
  const funder = accountAt(accounts, FUNDER);
  const contracts = await deployTokens(rpc, accounts, funder);
  // Buried below what a reorg can undo, or the next one would take the treasury's funds away.
  if (await fundTreasury(rpc, contracts, funder, getAddress(hotAddress))) await controls.mine(MAX_REORG_DEPTH + 1);
  const stopCopies = keepCopies(folder, log);
  const kept = superviseNode(folder, port, node, log);

  const stop = async () => {
    stopCopies();
    await kept.stop();
  };
  const detach = () => {
    stopCopies();
    kept.detach();
  };
  return {
    ...controls,
    rpcUrl,
    chainId: CHAIN_ID,
    contracts,
    pay: payerOf(rpc, accounts, contracts),
    stop,
    detach,
  };
}

/** Joins the devnet that another process keeps; throws `DevnetError` when none answers there. */
export async function joinEvmDevnet(rpcUrl: string): Promise<EvmDevnet> {
  if (!(await isDevnet(rpcUrl))) throw new DevnetError(`no devnet answers at ${rpcUrl}`);
  const rpc = createEvmRpc(rpcUrl, JOIN_TIMEOUT_MS);
  const accounts = await accountsOf(rpc);
  const contracts = await findTokens(rpc, accounts);
  return {
    ...createEvmControls(rpcUrl),
    rpcUrl,
    chainId: CHAIN_ID,
    contracts,
    pay: payerOf(rpc, accounts, contracts),
    stop: async () => undefined,
    detach: () => undefined,
  };
}

/** Whether a devnet answers there. */
export async function isDevnet(rpcUrl: string): Promise<boolean> {
  try {
    return (await createEvmRpc(rpcUrl, JOIN_TIMEOUT_MS).call("eth_chainId", [], quantitySchema)) === BigInt(CHAIN_ID);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
}

const accountsOf = async (rpc: EvmRpc): Promise<Hex[]> =>
  (await rpc.call("eth_accounts", [], z.array(z.string()))).map((account) => getAddress(account));

function accountAt(accounts: readonly Hex[], index: number): Hex {
  const found = accounts[index];
  if (found === undefined) throw new Error("the devnet does not have its ten accounts");
  return found;
}

function payerOf(rpc: EvmRpc, accounts: readonly Hex[], contracts: Record<string, string>): EvmDevnet["pay"] {
  // The node takes the next nonce of an account when it signs: two payments at once would take the same one.
  const inTurn = createQueue();
  return async ({ to, slug, amount }) => {
    const contract = slug === NATIVE_SLUG ? null : contracts[slug];
    if (contract === undefined) throw new Error(`the devnet has no ${slug}`);
    const from = accountAt(accounts, CUSTOMER);
    const transfer = { from, to: getAddress(to), contract: contract === null ? null : getAddress(contract), amount };
    return inTurn(() => sendTransfer(rpc, transfer));
  };
}
