import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { createBitcoinWallet } from "../../server/chains/bitcoin/network.ts";
import { bitcoinDevnet } from "../../server/devnet/bitcoin/controls.ts";
import type { NetworkWallet } from "../../server/chains/port.ts";
import { anything, MNEMONIC, startLitecoinSetup, text, type LitecoinSetup } from "./support/litecoin.ts";

const COIN = 10n ** 8n;

let setup: LitecoinSetup;
let wallet: NetworkWallet;
let sent: { txId: string; keys: readonly string[] };

/** A process of its own: what it knows of the node's wallet is asked anew. */
const openWallet = () =>
  createBitcoinWallet({
    networkTitle: "LTC",
    kind: "regtest",
    rpcUrl: setup.node.rpcUrl,
    timeoutMs: 30_000,
    mnemonic: MNEMONIC,
  });
const nameOf = () => `wherry-${wallet.hotAddress()}`;

/** Takes the wallet's file from the node, as where its disk was replaced. */
async function loseWallet(): Promise<void> {
  await setup.ask("unloadwallet", [nameOf()], anything);
  const { logpath } = await setup.ask("getrpcinfo", [], z.object({ logpath: text }));
  await rm(join(dirname(logpath), "wallets", nameOf()), { recursive: true });
}

beforeAll(async () => {
  setup = await startLitecoinSetup();
  wallet = openWallet();
  const devnet = bitcoinDevnet({ networkTitle: "LTC", rpcUrl: setup.node.rpcUrl });
  await devnet.initialise(wallet.hotAddress());
  const payment = {
    slug: "ltc",
    toAddress: await setup.customer("getnewaddress", [], text),
    toMemo: null,
    amount: COIN,
  };
  const { keys, ...handle } = await wallet.chooseHandle(payment, []);
  const prepared = await wallet.prepare(payment, { keys, ...handle });
  expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
  sent = { txId: prepared.txId, keys };
});
afterAll(async () => setup?.end());

it("shows what waits in a mempool that the node's wallet was created anew beside", async () => {
  const balance = await wallet.hotBalance("ltc");
  await loseWallet();
  const anew = openWallet();
  expect(await anew.recentPayments?.(0)).toEqual([{ txId: sent.txId, height: null }]);
  expect(await anew.hotBalance("ltc")).toBe(balance);
});

it("shows the coins that the mempool spends and the node's wallet takes for free", async () => {
  await loseWallet();
  const [withoutKeys, blank, noRescan] = [true, true, false];
  const address = wallet.hotAddress();
  await setup.ask("createwallet", [nameOf(), withoutKeys, blank], anything);
  await setup.ask("importaddress", [address, "", noRescan], anything, { wallet: nameOf() });
  await setup.ask("rescanblockchain", [], anything, { wallet: nameOf() });
  await setup.ask("setlabel", [address, "wherry-hot"], anything, { wallet: nameOf() });
  expect(await openWallet().recentPayments?.(0)).toEqual(sent.keys.map((key) => ({ txId: null, height: null, key })));
});
