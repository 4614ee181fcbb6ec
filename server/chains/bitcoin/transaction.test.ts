import { hex } from "@scure/base";
import { Transaction } from "@scure/btc-signer";
import { describe, expect, it } from "vitest";
import { chainOf } from "./chain-params.ts";
import { sizeOf } from "./fees.ts";
import { addressesBelow, depositXpub, hotKey } from "./keys.ts";
import { scriptOfAddress, signTransaction } from "./transaction.ts";

/** The mnemonic of BIP-84's own test vectors. */
const MNEMONIC = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
const TX_ID = "1".repeat(64);

describe("deposit addresses", () => {
  it("are those of BIP-84, derived without a private key", () => {
    const chain = chainOf("BTC", "main");
    const addressAt = addressesBelow(chain, depositXpub(chain, MNEMONIC));
    expect(addressAt(0n)).toBe("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
    expect(addressAt(1n)).toBe("bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g");
  });

  it.each(["BTC", "LTC", "DOGE"])("of %s share nothing with the hot address", (title) => {
    const chain = chainOf(title, "main");
    const addressAt = addressesBelow(chain, depositXpub(chain, MNEMONIC));
    const first = Array.from({ length: 20 }, (_, at) => addressAt(BigInt(at)));
    expect(new Set([...first, hotKey(chain, MNEMONIC).address]).size).toBe(21);
  });

  it("are never derived from a private key or from a hardened index", () => {
    const chain = chainOf("LTC", "main");
    const addressAt = addressesBelow(chain, depositXpub(chain, MNEMONIC));
    expect(() => addressAt(2n ** 31n)).toThrow(RangeError);
    expect(() => addressAt(-1n)).toThrow(RangeError);
    const xprv =
      "xprv9s21ZrQH143K3GJpoapnV8SFfukcVBSfeCficPSGfubmSFDxo1kuHnLisriDvSnRRuL2Qrg5ggqHKNVpxR86QEC8w35uxmGoggxtQTPvfUu";
    expect(() => addressesBelow(chain, xprv)).toThrow("public key");
  });
});

describe("a signed payment", () => {
  it.each(["BTC", "LTC"])("of %s pays the selected amounts, and is no larger than estimated", (title) => {
    const chain = chainOf(title, "main");
    const key = hotKey(chain, MNEMONIC);
    const toAddress = addressesBelow(chain, depositXpub(chain, MNEMONIC))(0n);
    const inputs = [0, 1, 2].map((vout) => ({ txId: TX_ID, vout, amount: 1_000_000n }));
    const selection = { inputs, change: [900_000n, 99_000n], fee: 1_000n };
    const signed = signTransaction(chain, key, { toAddress, amount: 2_000_000n }, selection, new Map());
    expect(signTransaction(chain, key, { toAddress, amount: 2_000_000n }, selection, new Map())).toEqual(signed);
    const transaction = Transaction.fromRaw(hex.decode(signed.raw), { allowUnknownInputs: true });
    expect(transaction.id).toBe(signed.txId);
    const outputs = [0, 1, 2].map((at) => transaction.getOutput(at));
    expect(outputs.map(({ amount }) => amount)).toEqual([2_000_000n, 900_000n, 99_000n]);
    expect(outputs[0]?.script).toEqual(scriptOfAddress(chain, toAddress));
    expect(outputs[2]?.script).toEqual(key.script);
    // BIP-125: below this, nodes let it be replaced.
    for (const at of [0, 1, 2]) expect(transaction.getInput(at).sequence).toBeLessThan(0xffff_fffe);
    const size = Number(sizeOf(chain, 3, [22, 22, 22]));
    expect(transaction.vsize).toBeLessThanOrEqual(size);
    expect(transaction.vsize).toBeGreaterThan(size - 4);
  });

  it("of DOGE is signed over the transactions that it spends, and refused without them", () => {
    const chain = chainOf("DOGE", "main");
    const key = hotKey(chain, MNEMONIC);
    const before = new Transaction({ allowUnknownInputs: true });
    before.addOutput({ script: key.script, amount: 5_000_000_000n });
    before.addInput({ txid: TX_ID, index: 0, finalScriptSig: Uint8Array.of(0) });
    const previous = new Map([[before.id, before.hex]]);
    const inputs = [{ txId: before.id, vout: 0, amount: 5_000_000_000n }];
    const selection = { inputs, change: [2_999_000_000n], fee: 1_000_000n };
    const payment = { toAddress: addressesBelow(chain, depositXpub(chain, MNEMONIC))(0n), amount: 2_000_000_000n };
    const signed = signTransaction(chain, key, payment, selection, previous);
    expect(signed.raw.length / 2).toBeLessThanOrEqual(Number(sizeOf(chain, 1, [25, 25])));
    expect(() => signTransaction(chain, key, payment, selection, new Map())).toThrow("is not there");
  });

  it("is refused when its parts don't add up", () => {
    const chain = chainOf("LTC", "main");
    const key = hotKey(chain, MNEMONIC);
    const selection = { inputs: [{ txId: TX_ID, vout: 0, amount: 1_000_000n }], change: [], fee: 1_000n };
    expect(() =>
      signTransaction(chain, key, { toAddress: key.address, amount: 900_000n }, selection, new Map()),
    ).toThrow("the fee would be 100000");
  });
});
