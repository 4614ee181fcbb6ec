import { hex } from "@scure/base";
import { p2wsh, Transaction } from "@scure/btc-signer";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { formatAmount } from "#contract/money.ts";
import { createBlockReader } from "./blocks.ts";
import { chainOf, type Chain } from "./chain-params.ts";
import { hotKey, type HotKey } from "./keys.ts";
import { BitcoinRpcError, type BitcoinRpc } from "./rpc.ts";
import { parseTransaction, signTransaction } from "./transaction.ts";

const MNEMONIC = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
const OTHER = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const HASH = "c".repeat(64);
const FUNDING = "1".repeat(64);
const HEIGHT = 700;
const NOBODY = new BitcoinRpcError(-5, "Invalid or non-wallet transaction id");
const NO_INDEX = new BitcoinRpcError(-5, "No such mempool transaction. Use -txindex");

type Json = Record<string, unknown>;

/** As nodes list it in a block; `prevout` is the script of what its input spends. */
function asListed(raw: string, prevout: string | null = null): Json {
  const transaction = parseTransaction(raw);
  const { finalScriptSig, finalScriptWitness, txid = new Uint8Array(), index, sequence } = transaction.getInput(0);
  const output = transaction.getOutput(0);
  return {
    txid: transaction.id,
    version: transaction.version,
    locktime: transaction.lockTime,
    vin: [
      {
        txid: hex.encode(txid),
        vout: index,
        sequence,
        scriptSig: { hex: hex.encode(finalScriptSig ?? new Uint8Array()) },
        ...(finalScriptWitness && { txinwitness: finalScriptWitness.map((item) => hex.encode(item)) }),
        ...(prevout !== null && { prevout: { scriptPubKey: { hex: prevout } } }),
      },
    ],
    vout: [
      {
        n: 0,
        value: formatAmount(output.amount ?? 0n, 8).padEnd(10, "0"),
        scriptPubKey: { hex: hex.encode(output.script ?? new Uint8Array()) },
      },
    ],
  };
}

type Node = {
  listed: Json;
  /** What its wallet and its index have of the transaction before. */
  wallet?: string | Error;
  index?: string | Error;
  label?: string;
};

const sentBy = async (
  chain: Chain,
  key: HotKey,
  { listed, wallet = NOBODY, index = NO_INDEX, label = "wherry-hot" }: Node,
) => {
  const scriptOf = (of: string | Error) =>
    of instanceof Error ? of : { vout: [{ n: 0, value: "1.00000000", scriptPubKey: { hex: of } }] };
  const decoded = scriptOf(wallet);
  const answers: Json = {
    getblockhash: HASH,
    getblock: { hash: HASH, height: HEIGHT, previousblockhash: "b".repeat(64), tx: [listed] },
    gettransaction: decoded instanceof Error ? decoded : { decoded, confirmations: 1 },
    getrawtransaction: scriptOf(index),
    listwallets: [`wherry-${key.address}`],
    getaddressinfo: { labels: [label] },
    getblockcount: 900,
    setlabel: null,
  };
  const rpc: BitcoinRpc = {
    call: async <Answer>(method: string, _params: unknown[], answer: z.ZodType<Answer>) => {
      const said = answers[method];
      if (said instanceof Error) throw said;
      return answer.parse(said);
    },
  };
  return (await createBlockReader(rpc, chain, key.address)(HEIGHT))?.sent?.length === 1;
};

describe("a payment with segwit in a block", () => {
  const chain = chainOf("LTC", "main");
  const key = hotKey(chain, MNEMONIC);
  const script = hex.encode(key.script);
  const foreign = hex.encode(p2wsh({ type: "pkh", script: hex.decode("51") }).script);
  const coin = { txId: FUNDING, vout: 0, amount: 1_000_000n };
  const { raw } = signTransaction(
    chain,
    key,
    { toAddress: hotKey(chain, OTHER).address, amount: 999_000n },
    { inputs: [coin], change: [], fee: 1_000n },
    new Map(),
  );

  it("is ours where the node lists our output as the one that it spends, and nobody's where it lists another", async () => {
    expect(await sentBy(chain, key, { listed: asListed(raw, script) })).toBe(true);
    expect(await sentBy(chain, key, { listed: asListed(raw, foreign) })).toBe(false);
  });

  it.each(["wallet", "index"] as const)("is ours by the transaction before, which the node's %s has", async (has) => {
    const listed = asListed(raw);
    expect(await sentBy(chain, key, { listed, [has]: script })).toBe(true);
    expect(await sentBy(chain, key, { listed, [has]: foreign, label: "wherry-hot 900" })).toBe(false);
  });

  it("is nobody's where the node's wallet has watched since before, and does not know what it spends", async () => {
    const listed = asListed(raw);
    expect(await sentBy(chain, key, { listed, label: `wherry-hot ${HEIGHT - 1}` })).toBe(false);
    // That may have been ours before.
    expect(await sentBy(chain, key, { listed, label: `wherry-hot ${HEIGHT}` })).toBe(true);
    expect(await sentBy(chain, key, { listed, label: "wherry-hot" })).toBe(true);
  });
});

describe("a payment without segwit in a block", () => {
  const chain = chainOf("DOGE", "main");
  const key = hotKey(chain, MNEMONIC);
  const before = new Transaction({ allowUnknownOutputs: true });
  before.addOutput({ script: key.script, amount: 5_000_000n });
  before.addInput({ txid: FUNDING, index: 0, finalScriptSig: new Uint8Array([0x51]) });
  const signed = signTransaction(
    chain,
    key,
    { toAddress: hotKey(chain, OTHER).address, amount: 4_000_000n },
    { inputs: [{ txId: before.id, vout: 0, amount: 5_000_000n }], change: [], fee: 1_000_000n },
    new Map([[before.id, before.hex]]),
  );

  it("is ours by its signature, which nobody else can make", async () => {
    expect(await sentBy(chain, key, { listed: asListed(signed.raw) })).toBe(true);
  });

  it("is nobody's with our signature of another one", async () => {
    const { finalScriptSig, txid, index, sequence } = parseTransaction(signed.raw).getInput(0);
    const forged = new Transaction({ allowUnknownInputs: true, allowUnknownOutputs: true });
    forged.addOutput({ script: hotKey(chain, OTHER).script, amount: 4_000_000n });
    forged.addInput({
      txid: FUNDING,
      index: index ?? 0,
      sequence: sequence ?? 0,
      finalScriptSig: finalScriptSig ?? new Uint8Array(),
    });
    expect(hex.encode(txid ?? new Uint8Array())).toBe(before.id);
    expect(await sentBy(chain, key, { listed: asListed(forged.hex) })).toBe(false);
  });
});
