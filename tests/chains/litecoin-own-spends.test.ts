import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hex } from "@scure/base";
import { RawTx, Transaction } from "@scure/btc-signer";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { chainOf } from "../../server/chains/bitcoin/chain-params.ts";
import { depositXpub, hotKey } from "../../server/chains/bitcoin/keys.ts";
import { createBitcoinNetwork, createBitcoinWallet } from "../../server/chains/bitcoin/network.ts";
import { parseTransaction, scriptOfAddress } from "../../server/chains/bitcoin/transaction.ts";
import type { Handle, Payment, PreparedPayment } from "../../server/chains/port.ts";
import { bitcoinDevnet } from "../../server/devnet/bitcoin/controls.ts";
import { BusyLitecoin } from "./support/busy-litecoin.ts";
import { anything, MNEMONIC, startLitecoinSetup, text, type LitecoinSetup } from "./support/litecoin.ts";

const COIN = 10n ** 8n;
const START_LIMIT_MS = 400_000;
/** Blocks take nothing that pays less than 40 a byte. */
const PRUNED = ["-prune=1", "-blockmintxfee=0.0004"];

const chain = chainOf("LTC", "regtest");
const key = hotKey(chain, MNEMONIC);

let litecoin: BusyLitecoin;

beforeAll(async () => {
  litecoin = await BusyLitecoin.start();
  await litecoin.restart(PRUNED);
}, START_LIMIT_MS);
afterAll(() => litecoin?.end());

const newest = async () => {
  const block = await litecoin.reader().blockAt(await litecoin.devnet.height());
  if (block === null) throw new Error("the newest block is not there");
  return block;
};
const sign = async (payment: Payment, handle: Handle): Promise<PreparedPayment> => {
  const prepared = await litecoin.wallet().prepare(payment, handle);
  expect(await litecoin.wallet().broadcast(prepared)).toEqual({ kind: "accepted" });
  return prepared;
};
/** Another node's: it has to find what is ours by itself. */
async function loseWallet(): Promise<void> {
  const name = `wherry-${key.address}`;
  await litecoin.setup.ask("unloadwallet", [name], anything);
  const { logpath } = await litecoin.setup.ask("getrpcinfo", [], z.object({ logpath: text }));
  await rm(join(dirname(logpath), "wallets", name), { recursive: true });
}

it("knows each payment of ours on a pruned node without an index: one with change, what pays for it, and one to ourselves", async () => {
  const toAddress = await litecoin.newAddress();
  const payment: Payment = { slug: "ltc", toAddress, toMemo: null, amount: COIN };
  const first = await sign(payment, await litecoin.wallet().chooseHandle(payment, []));
  litecoin.raiseFees(50n);
  const child = await litecoin.wallet().prepareChild?.([first], [], []);
  if (!child) throw new Error("nothing pays for it");
  expect(await litecoin.wallet().broadcast(child)).toEqual({ kind: "accepted" });
  await litecoin.devnet.mine(1);
  const together = [first.txId, child.txId].sort();
  expect((await newest()).sent?.toSorted()).toEqual(together);
  await loseWallet();
  const found = await newest();
  expect(found.sent?.toSorted()).toEqual(together);
  expect(found.toOurselves).toEqual([child.txId]);

  const moved = await litecoin.wallet().chooseConsolidation?.([], null, 0);
  if (!moved) throw new Error("nothing is there to move");
  const own = await sign({ ...payment, toAddress: key.address, amount: moved.amount }, moved.handle);
  await litecoin.devnet.mine(1);
  expect(await newest()).toMatchObject({ sent: [own.txId], toOurselves: [own.txId] });
  litecoin.line.behave();
});

it(
  "takes no transaction for ours that shows a signature and our key to an output which asks for neither",
  async () => {
    // Its blocks can be made of anything before the extension block.
    const setup = await startLitecoinSetup();
    try {
      const options = { networkTitle: "LTC", kind: "regtest", timeoutMs: 30_000, rpcUrl: setup.node.rpcUrl } as const;
      const devnet = bitcoinDevnet(options);
      await devnet.mine(120);
      const reader = createBitcoinNetwork({
        ...options,
        xpub: depositXpub(chain, MNEMONIC),
        hotAddress: key.address,
      });
      expect(await createBitcoinWallet({ ...options, mnemonic: MNEMONIC }).hotBalance("ltc")).toBe(0n);
      const funding = await fundUnknownProgram(setup);
      await devnet.mine(1);
      const forged = new Transaction({ allowUnknownInputs: true });
      const toAddress = await setup.receiver("getnewaddress", [], text);
      forged.addOutput({ script: scriptOfAddress(chain, toAddress), amount: COIN - 100_000n });
      forged.addInput({
        ...funding,
        finalScriptWitness: [hex.decode(`3045${"11".repeat(69)}01`), secp256k1.getPublicKey(key.privateKey)],
      });
      await setup.ask("generateblock", [toAddress, [forged.hex]], anything);
      const block = await reader.blockAt(await devnet.height());
      expect(block?.transfers.map(({ txId }) => txId)).toContain(forged.id);
      expect(block?.sent).toEqual([]);
    } finally {
      await setup.end();
    }
  },
  START_LIMIT_MS,
);

/** Pays a coin to a version of witnesses that no rule is made for yet: whoever mines it may spend it with anything. */
async function fundUnknownProgram({ ask, customer }: LitecoinSetup): Promise<{ txid: string; index: number }> {
  const unfunded = RawTx.encode({
    version: 2,
    segwitFlag: undefined,
    inputs: [],
    outputs: [{ amount: COIN, script: hex.decode(`5220${"11".repeat(32)}`) }],
    witnesses: undefined,
    lockTime: 0,
  });
  const withoutWitness = false;
  const asHex = z.object({ hex: text });
  // Without traffic a node has no estimate.
  const funded = await customer(
    "fundrawtransaction",
    [hex.encode(unfunded), { feeRate: 0.001 }, withoutWitness],
    asHex,
  );
  const signed = await customer("signrawtransactionwithwallet", [funded.hex], asHex);
  await ask("sendrawtransaction", [signed.hex], text);
  const paid = parseTransaction(signed.hex);
  const amounts = Array.from({ length: paid.outputsLength }, (_, at) => paid.getOutput(at).amount);
  return { txid: paid.id, index: amounts.indexOf(COIN) };
}
