import * as z from "zod";
import { CodedError } from "#contract/errors.ts";
import { formatAmount, powerOfTen } from "#contract/money.ts";
import { createBitcoinRpc, BitcoinRpcError, type BitcoinRpc } from "../../chains/bitcoin/rpc.ts";
import { DECIMALS, hashSchema, heightSchema } from "../../chains/bitcoin/schemas.ts";

export type BitcoinDevnet = {
  /** Pays minor units from the customer's wallet with a real transaction; resolves to its id. */
  pay(payment: { address: string; amount: bigint }): Promise<string>;
  mine(blocks: number): Promise<void>;
  /** Replaces the newest blocks; their transactions are mined again in the first of the new ones. */
  reorg(depth: number): Promise<void>;
  /** Pauses mining on a timer, in every process: the node stores the flag. */
  setPaused(paused: boolean): Promise<void>;
  isPaused(): Promise<boolean>;
  height(): Promise<number>;
  /** Mines the first blocks of a new chain: the treasury's, then the customer's. */
  initialise(hotAddress: string): Promise<void>;
};

/** The most that `reorg` may undo (contract §7). */
const MAX_REORG_DEPTH = 64;
const MINING_TIMEOUT_MS = 120_000;
const WALLET = { wallet: "wherry-sandbox" };
/** The wallet's own fee, a thousand virtual bytes: a chain without traffic has no estimates. */
const FEE_RATE = "0.0001";

/**
 * A regtest chain of Litecoin or Bitcoin can never hold more than 15,000 coins, because its subsidy halves every 150 blocks. The first
 * blocks are the treasury's, 11,212 coins; of the others the customer can spend some 2,900 at the end. A mined coin for each payment at
 * a time: what comes back from one is spent again only when it is mined.
 */
const TREASURY_BLOCKS = 300;
/** The length of a new chain. */
export const MINED_BLOCKS = 750;
/** Litecoin's extension block (MWEB) activates here, in a block that must hold a payment into it. */
const EXTENSION_HEIGHT = 432;

const anything = z.unknown();
const names = z.array(z.string());

/** Controls a regtest chain through a wallet of its node (contract §7). */
export function bitcoinDevnet(options: { networkTitle: string; rpcUrl: string }): BitcoinDevnet {
  const rpc = createBitcoinRpc(options.rpcUrl, MINING_TIMEOUT_MS);
  const opened = openedOnce(rpc);
  const height = () => rpc.call("getblockcount", [], heightSchema);
  const newAddress = async (type: string[]) => {
    await opened();
    return rpc.call("getnewaddress", ["", ...type], z.string(), WALLET);
  };
  // To a new address each time: the same would make the very blocks again that a reorganisation has thrown away.
  const mine = async (blocks: number) =>
    void (await rpc.call("generatetoaddress", [blocks, await newAddress([])], anything));

  const pay: BitcoinDevnet["pay"] = async ({ address, amount }) => {
    await opened();
    try {
      return await rpc.call("sendtoaddress", [address, formatAmount(amount, DECIMALS)], hashSchema, WALLET);
    } catch (error) {
      if (!(error instanceof BitcoinRpcError)) throw error;
      const message = `The customer's wallet can't pay: ${error.message}`;
      throw new CodedError("ERR_UNPROCESSABLE_ENTITY", message, { cause: error });
    }
  };

  const mineUntil = async (wanted: number, address: string) => {
    const missing = wanted - (await height());
    if (missing > 0) await rpc.call("generatetoaddress", [missing, address], anything);
  };

  return {
    pay,
    mine,
    height,
    reorg: async (depth) => {
      const top = await height();
      if (depth > Math.min(MAX_REORG_DEPTH, top))
        throw new CodedError("ERR_UNPROCESSABLE_ENTITY", `The node can replace ${MAX_REORG_DEPTH} blocks at most`);
      const first = await rpc.call("getblockhash", [top - depth + 1], hashSchema);
      await rpc.call("invalidateblock", [first], anything);
      await mine(depth);
    },
    setPaused: async (paused) => void (await rpc.call("setnetworkactive", [!paused], anything)),
    isPaused: async () => {
      const { networkactive } = await rpc.call("getnetworkinfo", [], z.object({ networkactive: z.boolean() }));
      return !networkactive;
    },
    initialise: async (hotAddress) => {
      if ((await height()) >= MINED_BLOCKS) return;
      await mineUntil(TREASURY_BLOCKS, hotAddress);
      const customer = await newAddress([]);
      if (options.networkTitle === "LTC" && (await height()) < EXTENSION_HEIGHT) {
        await mineUntil(EXTENSION_HEIGHT - 1, customer);
        await pay({ address: await newAddress(["mweb"]), amount: powerOfTen(DECIMALS) });
      }
      await mineUntil(MINED_BLOCKS, customer);
      // Blocks are written to disk from time to time only: a node that is killed would have lost them.
      await rpc.call("gettxoutsetinfo", [], anything);
    },
  };
}

/** Creates or opens the wallet that mines and pays as the customer; its keys are the node's. */
function openedOnce(rpc: BitcoinRpc): () => Promise<void> {
  let opening: Promise<void> | null = null;
  const open = async () => {
    const { wallet } = WALLET;
    if (!(await rpc.call("listwallets", [], names)).includes(wallet)) {
      const folder = z.object({ wallets: z.array(z.object({ name: z.string() })) });
      const { wallets } = await rpc.call("listwalletdir", [], folder);
      await rpc.call(wallets.some(({ name }) => name === wallet) ? "loadwallet" : "createwallet", [wallet], anything);
    }
    await rpc.call("settxfee", [FEE_RATE], anything, WALLET);
  };
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
}
