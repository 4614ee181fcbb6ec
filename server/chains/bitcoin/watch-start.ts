import * as z from "zod";
import { heightSchema } from "./answers.ts";
import type { Chain } from "./chains.ts";
import type { CoreRpc } from "./rpc.ts";

/** Stands at the address once all of its past was read, so that a node which died before is asked again. */
const READY = "wherry-hot";
/** However new the wallet is, it sees these: no payment stays under way for longer. */
const RECENT_BLOCKS = 2_016;
const BLOCKS_A_CALL = 500;
/** Just below what fetch itself allows an answer to take. */
const SLOW_CALL_MS = 290_000;

const names = z.array(z.string());
const anything = z.unknown();
const unspentsSchema = z.object({ unspents: z.array(z.object({ height: heightSchema })) });
const folderSchema = z.object({ wallets: z.array(z.object({ name: z.string() })) });
const descriptorSchema = z.object({ descriptor: z.string() });
const importsSchema = z.array(z.object({ success: z.boolean() }));

type Place = { wallet?: string };

/** Makes or opens the node's wallet, has it watch the address, and has its past read. Throws while an earlier reading goes on. */
export async function startWatching(rpc: CoreRpc, chain: Chain, address: string, place: Place): Promise<void> {
  if (chain.watching === "only wallet") return importIntoOnlyWallet(rpc, address);
  await openWallet(rpc, chain, place.wallet ?? "");
  const { labels } = await rpc.call("getaddressinfo", [address], z.object({ labels: names }), place);
  if (labels.includes(READY)) return;
  const { scanning } = await rpc.call("getwalletinfo", [], z.object({ scanning: anything }), place);
  if (scanning !== false && scanning !== undefined) throw new Error("the node still reads the past of the hot address");
  await importAddress(rpc, chain, address, place);
  await readPast(rpc, address, place);
  await rpc.call("setlabel", [address, READY], anything, place);
}

async function openWallet(rpc: CoreRpc, chain: Chain, name: string): Promise<void> {
  if ((await rpc.call("listwallets", [], names)).includes(name)) return;
  const { wallets } = await rpc.call("listwalletdir", [], folderSchema);
  if (wallets.some((wallet) => wallet.name === name)) {
    await rpc.call("loadwallet", [name], anything, { timeoutMs: SLOW_CALL_MS });
    return;
  }
  const [withoutKeys, blank, passphrase, avoidReuse] = [true, true, "", false];
  const descriptors = chain.watching === "descriptors";
  await rpc.call("createwallet", [name, withoutKeys, blank, passphrase, avoidReuse, descriptors], anything);
}

async function importAddress(rpc: CoreRpc, chain: Chain, address: string, place: Place): Promise<void> {
  if (chain.watching === "addresses") {
    const readsPast = false;
    await rpc.call("importaddress", [address, "", readsPast], anything, place);
    return;
  }
  const { descriptor } = await rpc.call("getdescriptorinfo", [`addr(${address})`], descriptorSchema);
  const wanted = [{ desc: descriptor, timestamp: "now", label: "" }];
  const [done] = await rpc.call("importdescriptors", [wanted], importsSchema, { ...place, timeoutMs: SLOW_CALL_MS });
  if (done?.success !== true) throw new Error("the node doesn't watch the hot address");
}

/** From its oldest coin on; in steps, because a call that takes too long is lost. */
async function readPast(rpc: CoreRpc, address: string, place: Place): Promise<void> {
  const tip = await rpc.call("getblockcount", [], heightSchema);
  const found = await rpc.call("scantxoutset", ["start", [`addr(${address})`]], unspentsSchema, {
    timeoutMs: SLOW_CALL_MS,
  });
  const oldest = Math.min(tip - RECENT_BLOCKS, ...found.unspents.map(({ height }) => height));
  for (let from = Math.max(0, oldest); from <= tip; from += BLOCKS_A_CALL) {
    const to = Math.min(tip, from + BLOCKS_A_CALL - 1);
    await rpc.call("rescanblockchain", [from, to], anything, { ...place, timeoutMs: SLOW_CALL_MS });
  }
}

async function importIntoOnlyWallet(rpc: CoreRpc, address: string): Promise<void> {
  const known = await rpc.call("validateaddress", [address], z.object({ iswatchonly: z.boolean().optional() }));
  if (known.iswatchonly === true) return;
  const readsPast = true;
  await rpc.call("importaddress", [address, READY, readsPast], anything, { timeoutMs: SLOW_CALL_MS });
}
