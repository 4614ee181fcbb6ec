import { hex } from "@scure/base";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { FeesOverCapError, type Lookup } from "../port.ts";
import { createBlockReader, readHead } from "./blocks.ts";
import { broadcastRaw } from "./broadcast.ts";
import { chainOf } from "./chain-params.ts";
import { readFeeRate } from "./fees.ts";
import { BitcoinRpcError, type BitcoinRpc } from "./rpc.ts";
import { addressOfScript } from "./transaction.ts";

const chain = chainOf("LTC", "main");
const prepared = { raw: "00", txId: "a".repeat(64) };
const lookingUp = (found: Lookup["kind"]) => async () => ({ kind: found }) as Lookup;

/** A node with scripted answers; an error is thrown. */
const nodeSaying = (answers: Record<string, unknown>): BitcoinRpc => ({
  call: async <Answer>(method: string, _params: unknown[], answer: z.ZodType<Answer>) => {
    const said = answers[method];
    if (said instanceof Error) throw said;
    return answer.parse(said);
  },
});

describe("a broadcast", () => {
  it.each([
    [new BitcoinRpcError(-27, "transaction already in block chain"), "absent", "accepted"],
    [new BitcoinRpcError(-27, "Transaction outputs already in utxo set"), "absent", "accepted"],
    [new BitcoinRpcError(-26, "txn-already-in-mempool"), "absent", "accepted"],
    [new BitcoinRpcError(-26, "txn-already-known"), "absent", "accepted"],
    [new BitcoinRpcError(-25, "bad-txns-inputs-missingorspent"), "mined", "accepted"],
    [new BitcoinRpcError(-25, "bad-txns-inputs-missingorspent"), "absent", "unknown"],
    [new BitcoinRpcError(-25, "bad-txns-inputs-missingorspent"), "replaced", "unknown"],
    [new BitcoinRpcError(-26, "min relay fee not met"), "absent", "unknown"],
    [new BitcoinRpcError(-28, "Loading block index..."), "absent", "unknown"],
    [new Error("the node does not answer: connect ECONNREFUSED"), "mined", "unknown"],
  ] as const)("that the node answers with %s, while it is %s, is %s", async (error, kind, expected) => {
    const result = await broadcastRaw(nodeSaying({ sendrawtransaction: error }), prepared, lookingUp(kind));
    expect(result).toEqual(expected === "accepted" ? { kind: expected } : { kind: expected, reason: error.message });
  });

  it("is unknown when the node returns another id or can't look the payment up", async () => {
    const other = nodeSaying({ sendrawtransaction: "b".repeat(64) });
    expect(await broadcastRaw(other, prepared, lookingUp("mined"))).toMatchObject({ kind: "unknown" });
    const refusing = nodeSaying({ sendrawtransaction: new BitcoinRpcError(-25, "missing inputs") });
    const result = await broadcastRaw(refusing, prepared, () => Promise.reject(new Error("gone")));
    expect(result).toEqual({ kind: "unknown", reason: "missing inputs; looking it up failed: gone" });
  });
});

describe("a fee rate", () => {
  const rate = (estimate: unknown, least = "0.00001000") =>
    readFeeRate(nodeSaying({ estimatesmartfee: estimate, getmempoolinfo: { mempoolminfee: least } }), chain);

  it("is the node's estimate, rounded up", async () => {
    expect(await rate({ feerate: "0.00012345" })).toBe(13n);
  });
  it("uses the fallback where the node has none", async () => {
    expect(await rate({ errors: ["Insufficient data"] })).toBe(chain.fees.fallback);
    expect(await rate({ feerate: -1 })).toBe(chain.fees.fallback);
  });
  it("is never below what the node would relay", async () => {
    expect(await rate({ feerate: "0.00001000" }, "0.00050000")).toBe(50n);
  });
  it("above the cap is waited for: the network asks for it, and no payment is to blame", async () => {
    const over = rate({ feerate: "1.00000000" });
    await expect(over).rejects.toBeInstanceOf(FeesOverCapError);
    await expect(over).rejects.toThrow("more than the cap");
  });
});

describe("blocks", () => {
  const hash = "c".repeat(64);
  const script = "0014751e76e8199196d454941c45d1b3a323f1433bd6";
  const output = (n: number, value: string, of: string) => ({ n, value, scriptPubKey: { hex: of } });
  const paying = (...vout: unknown[]) => ({
    hash,
    height: 7,
    previousblockhash: "b".repeat(64),
    tx: [{ txid: hash, vin: [{}], vout }],
  });

  it("include payments to single-key scripts, and no data, bare multisig or extension output", async () => {
    const bare = `5121${"02".repeat(33)}21${"03".repeat(33)}52ae`;
    const block = paying(
      output(0, "0.00000000", script),
      output(1, "90000000000.12345678", script),
      output(2, "1.00000000", "6a04deadbeef"),
      output(3, "1.00000000", bare),
      output(4, "12.00000000", `5820${"ab".repeat(32)}`),
      { ismweb: true, output_id: hash },
    );
    const read = createBlockReader(nodeSaying({ getblockhash: hash, getblock: block }), chain, null);
    const toAddress = "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9";
    expect((await read(7))?.transfers).toEqual([
      { txId: hash, outputIndex: 1, toAddress, slug: "ltc", amount: 9_000_000_000_012_345_678n },
    ]);
  });

  it("include no script that the chain's own wallets can't spend", () => {
    expect(addressOfScript(chain, hex.decode(script))).toBe("ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9");
    expect(addressOfScript(chainOf("DOGE", "main"), hex.decode(script))).toBeNull();
  });

  it("are null above the newest, and never of a node that is still syncing", async () => {
    const read = createBlockReader(
      nodeSaying({ getblockhash: new BitcoinRpcError(-8, "Block height out of range") }),
      chain,
      null,
    );
    expect(await read(8)).toBeNull();
    const behind = nodeSaying({ getblockchaininfo: { bestblockhash: hash, initialblockdownload: true } });
    await expect(readHead(behind, chain)).rejects.toThrow("syncing");
  });
});
