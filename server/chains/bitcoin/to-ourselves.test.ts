import { hex } from "@scure/base";
import { Transaction } from "@scure/btc-signer";
import { describe, expect, it } from "vitest";
import { chainOf, type Chain } from "./chain-params.ts";
import { addressesBelow, depositXpub, hotKey, type HotKey } from "./keys.ts";
import { isToOurselves, movesOnly, signerOf, signTransaction } from "./transaction.ts";

const MNEMONIC = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
const OTHER = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const TX_ID = "1".repeat(64);
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
