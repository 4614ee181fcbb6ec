import { hex } from "@scure/base";
import { Transaction } from "@scure/btc-signer";
import { describe, expect, it } from "vitest";
import { chainOf, type Chain } from "./chain-params.ts";
import { addressesBelow, addressOfKey, depositXpub, hotKey, type HotKey } from "./keys.ts";
import { isToOurselves, movesOnly, signerOf, signTransaction } from "./transaction.ts";

const MNEMONIC = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
const OTHER = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const TX_ID = "1".repeat(64);
const KEY = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const SIGNATURE = `3045${"11".repeat(69)}01`;
const push = (bytes: string) => (bytes.length / 2).toString(16).padStart(2, "0") + bytes;
const coin = { txId: TX_ID, vout: 0, amount: 1_000_000n };

const chain = chainOf("LTC", "main");
const key = hotKey(chain, MNEMONIC);
const other = hotKey(chain, OTHER);
const deposit = addressesBelow(chain, depositXpub(chain, MNEMONIC))(0n);

const paying = (toAddress: string, of: Chain = chain, by: HotKey = key, previous = new Map<string, string>()) =>
  signTransaction(
    of,
    by,
    { toAddress, amount: 600_000n },
    { inputs: [coin], change: [399_000n], fee: 1_000n },
    previous,
  );

describe("a transaction of the hot wallet", () => {
  it("pays nobody where all of its outputs are its own", () => {
    expect(isToOurselves(chain, paying(key.address).raw, key.address)).toBe(true);
  });

  it("pays nobody on a chain without segwit either, whose inputs show the key in their scripts", () => {
    const doge = chainOf("DOGE", "main");
    const [own, stranger] = [hotKey(doge, MNEMONIC), hotKey(doge, OTHER)];
    const before = new Transaction({ allowUnknownOutputs: true });
    before.addOutput({ script: own.script, amount: coin.amount });
    before.addInput({ txid: TX_ID, index: 0, finalScriptSig: new Uint8Array([0x51]) });
    const raw = before.hex;
    const spent = { ...coin, txId: before.id };
    const signed = (toAddress: string) =>
      signTransaction(
        doge,
        own,
        { toAddress, amount: 600_000n },
        { inputs: [spent], change: [399_000n], fee: 1_000n },
        new Map([[before.id, raw]]),
      ).raw;
    expect(isToOurselves(doge, signed(own.address), own.address)).toBe(true);
    expect(isToOurselves(doge, signed(stranger.address), own.address)).toBe(false);
  });

  it.each([
    ["somebody else, beside its change", other.address],
    ["a deposit address of ours", deposit],
  ])("that pays %s is a payment", (_, toAddress) => {
    expect(isToOurselves(chain, paying(toAddress).raw, key.address)).toBe(false);
  });

  it("that also spends somebody else's coin, or whose outputs are not all known, is not decided", () => {
    const raw = Transaction.fromRaw(hex.decode(paying(key.address).raw));
    const data = new Transaction({ allowUnknownOutputs: true });
    data.addOutput({ script: key.script, amount: 900_000n });
    data.addOutput({ script: hex.decode("6a0101"), amount: 0n });
    data.addInput({ ...raw.getInput(0) });
    expect(isToOurselves(chain, data.hex, key.address)).toBe(false);
    const signers = [key.address, other.address];
    expect(movesOnly({ signers, recipients: [key.address] }, key.address)).toBe(false);
    expect(movesOnly({ signers: [key.address, null], recipients: [key.address] }, key.address)).toBe(false);
    expect(movesOnly({ signers: [], recipients: [] }, key.address)).toBe(false);
    expect(signerOf(chain, {})).toBeNull();
  });
});

describe("who has signed an input", () => {
  const pushed = `21${KEY}`;
  const forged: [string, Parameters<typeof signerOf>[1]][] = [
    ["a script that pushes it and asks for nothing more", { scriptSig: { hex: `22${pushed}` } }],
    ["the key alone", { scriptSig: { hex: pushed } }],
    ["something else than a signature beside it", { scriptSig: { hex: `0151${pushed}` } }],
    ["more than a signature and the key", { scriptSig: { hex: `00${push(SIGNATURE)}${pushed}` } }],
    ["a signature of another length", { scriptSig: { hex: `4a${SIGNATURE}${pushed}` } }],
    [
      "a witness that is more than a signature and the key",
      { txinwitness: ["", SIGNATURE, KEY], scriptSig: { hex: "" } },
    ],
    ["a witness without a signature", { txinwitness: ["01", KEY], scriptSig: { hex: "" } }],
    ["a witness beside a script", { txinwitness: [SIGNATURE, KEY], scriptSig: { hex: `22${pushed}` } }],
  ];

  it.each(forged)("is not said by a public key in %s", (_, input) => {
    for (const network of ["BTC", "LTC", "DOGE"]) expect(signerOf(chainOf(network, "main"), input)).toBeNull();
  });

  it("is said by a signature and the key, as the chain has them", () => {
    const owner = (network: string) => addressOfKey(chainOf(network, "main"), hex.decode(KEY));
    const witness = { txinwitness: [SIGNATURE, KEY], scriptSig: { hex: "" } };
    const script = { scriptSig: { hex: `${push(SIGNATURE)}${pushed}` } };
    expect(signerOf(chainOf("LTC", "main"), witness)).toBe(owner("LTC"));
    expect(signerOf(chainOf("LTC", "main"), script)).toBeNull();
    expect(signerOf(chainOf("DOGE", "main"), script)).toBe(owner("DOGE"));
    expect(signerOf(chainOf("DOGE", "main"), witness)).toBeNull();
  });
});
