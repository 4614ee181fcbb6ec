import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { startLitecoin, type LitecoinNode } from "../../../server/devnet/bitcoin/node.ts";
import { freePort } from "../../../scripts/lib/free-port.ts";
import { LITECOIND, requirePrograms } from "../../../scripts/lib/programs.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { createBitcoinRpc, type BitcoinRpc } from "../../../server/chains/bitcoin/rpc.ts";

export const MNEMONIC = "test test test test test test test test test test test junk";
const CUSTOMER = { wallet: "wherry-sandbox" };
/** Coins of this address are never spent: the customer pays from another wallet. */
const RECEIVER = { wallet: "wherry-receiver" };

export type LitecoinSetup = {
  node: LitecoinNode;
  /** Calls the node directly, without the driver; `customer` calls the customer's wallet. */
  ask: BitcoinRpc["call"];
  customer<Answer>(method: string, params: unknown[], answer: z.ZodType<Answer>): Promise<Answer>;
  /** Calls a wallet whose coins are never spent. */
  receiver: LitecoinSetup["customer"];
  /** Restarts the node over the same chain with further options; its URL is another one then. */
  restart(options: readonly string[]): Promise<void>;
  end(): Promise<void>;
};

export const text = z.string();
export const anything = z.unknown();

/** A regtest node of its own in a temporary folder; as root on Debian it is installed where it is missing. */
export async function startLitecoinSetup(): Promise<LitecoinSetup> {
  const [program = ""] = requirePrograms([LITECOIND]);
  const folder = await mkdtemp(join(tmpdir(), "wherry-litecoin-"));
  const log = createLog({ level: "silent" });
  const start = async (options: readonly string[]) =>
    startLitecoin({
      program,
      folder,
      port: await freePort(),
      mnemonic: MNEMONIC,
      blockMs: null,
      arguments: options,
      log,
    });
  let node = await start([]);
  console.log(node.versions.join("\n"));
  let rpc = createBitcoinRpc(node.rpcUrl, 60_000);
  await rpc.call("createwallet", [RECEIVER.wallet], anything);
  return {
    get node() {
      return node;
    },
    ask: (...call) => rpc.call(...call),
    customer: (method, params, answer) => rpc.call(method, params, answer, CUSTOMER),
    receiver: (method, params, answer) => rpc.call(method, params, answer, RECEIVER),
    restart: async (options) => {
      await node.stop();
      node = await start(options);
      rpc = createBitcoinRpc(node.rpcUrl, 60_000);
      const wallets = await rpc.call("listwallets", [], z.array(text));
      for (const { wallet } of [CUSTOMER, RECEIVER])
        if (!wallets.includes(wallet)) await rpc.call("loadwallet", [wallet], anything);
    },
    end: async () => {
      await node.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What an address holds by the chain alone: one amount for each payment that it got and didn't spend. */
export async function heldAt(setup: LitecoinSetup, address: string): Promise<string[]> {
  const answer = z.object({ unspents: z.array(z.object({ amount: z.string() })) });
  const { unspents } = await setup.ask("scantxoutset", ["start", [`addr(${address})`]], answer);
  return unspents.map(({ amount }) => amount);
}
