import { describe, expect, it } from "vitest";
import { PaymentRefusedError } from "../port.ts";
import { keyImagesOf } from "./key-images.ts";
import { signAnew, type SignAnewParts } from "./replacement.ts";

const image = (digit: string) => digit.repeat(64);
/** As monerod reads them: version 2, no unlock time, and for each input a ring of two. */
const bytesOf = (...images: string[]) =>
  `0200${images.length.toString(16).padStart(2, "0")}${images.map((one) => `0200028080010a${one}`).join("")}ff`;
const [A, B, C] = [image("a"), image("b"), image("c")];
const sent = (...images: string[]) => ({ bytes: bytesOf(...images), txId: image("1") });

/** A node that has dropped the payment and refuses its bytes, and a wallet that spends what it is told to. */
function fakes(changes: Partial<SignAnewParts["daemon"]> & { spends?: string[]; maxFeePerByte?: bigint } = {}) {
  const { spends, maxFeePerByte = 1_000n, ...daemon } = changes;
  const asked: { keyImages: string[]; maxFee: bigint }[] = [];
  const known: SignAnewParts["daemon"] = {
    lookUp: async () => ({ kind: "absent" }),
    unspent: async (images) => new Set(images),
    submit: async () => ({ isAccepted: false, isInvalid: true, reason: "fee too low" }),
    feeRate: async () => ({ perByte: 100n, mask: 10_000n }),
  };
  const parts: SignAnewParts = {
    daemon: { ...known, ...daemon },
    outputs: async () => [A, B].map((key_image) => ({ amount: 1n, key_image, frozen: false, unlocked: true })),
    maxFeePerByte,
    sign: async (keyImages, maxFee) => {
      asked.push({ keyImages: [...keyImages], maxFee });
      const key_images = spends ?? [...keyImages];
      return {
        tx_hash: image("2"),
        tx_blob: "00",
        tx_key: "01",
        amount: 1n,
        fee: 7n,
        spent_key_images: { key_images },
      };
    },
  };
  return { parts, asked };
}

describe("the key images of a transaction", () => {
  it("are those of its inputs, in order", () => {
    expect(keyImagesOf(bytesOf(A, B))).toEqual([A, B]);
  });

  it.each([
    ["", "0200"],
    ["is cut off", bytesOf(A).slice(0, 40)],
    ["mints coins", "020001ff00"],
  ])("are none where it %s", (_, bytes) => {
    expect(() => keyImagesOf(bytes)).toThrow("transaction");
  });
});

describe("a payment that was sent and is gone", () => {
  it("is signed anew over exactly what it has spent, at today's fee", async () => {
    const { parts, asked } = fakes();
    expect(await signAnew(parts, [A, B], [sent(A)])).toMatchObject({ fee: 7n });
    expect(asked).toEqual([{ keyImages: [A], maxFee: 460_000n }]);
  });

  it.each<[string, Partial<SignAnewParts["daemon"]>]>([
    ["is in a pool", { lookUp: async () => ({ kind: "pending" }) }],
    ["was spent elsewhere", { unspent: async () => new Set([B]) }],
    ["is taken again", { submit: async () => ({ isAccepted: true }) }],
    ["a busy node did not look at", { submit: async () => ({ isAccepted: false, isInvalid: false, reason: "BUSY" }) }],
  ])("is not signed anew while it %s", async (_, daemon) => {
    const { parts, asked } = fakes(daemon);
    expect(await signAnew(parts, [A, B], [sent(A)])).toBeNull();
    expect(asked).toEqual([]);
  });

  it("is not signed anew where nothing was sent", async () => {
    expect(await signAnew(fakes().parts, [A, B], [])).toBeNull();
  });

  it("is never paid beside an earlier one: all of them share a key image with what is signed", async () => {
    const { parts } = fakes({ spends: [B] });
    await expect(signAnew(parts, [A, B], [sent(A, B), sent(A)])).rejects.toThrow("doesn't exclude");
    expect(await signAnew(fakes({ spends: [A] }).parts, [A, B], [sent(A, B), sent(A)])).not.toBeNull();
  });

  it("spends only what it has reserved and what the wallet has", async () => {
    await expect(signAnew(fakes().parts, [A, B], [sent(C)])).rejects.toThrow("has not reserved");
    await expect(signAnew(fakes().parts, [A, C], [sent(C)])).rejects.toThrow("doesn't have");
  });

  it("is put in review where a byte costs more than the cap", async () => {
    await expect(signAnew(fakes({ maxFeePerByte: 99n }).parts, [A], [sent(A)])).rejects.toBeInstanceOf(
      PaymentRefusedError,
    );
  });
});
