import { describe, expect, it } from "vitest";
import { FeesOverCapError, type Payment, type PreparedPayment } from "../port.ts";
import type { Daemon } from "./daemon.ts";
import { expectedFee, type FeeRate } from "./fees.ts";
import type { HotWallet } from "./hot-wallet.ts";
import { createMoneroWalletFrom } from "./wallet.ts";

/**
 * A node that asks for absurd fees (engine law 15), and a wallet that believes it. With the cap no fee that is signed exceeds it; without
 * it the same check finds one that does.
 */
const CAP = 1_000n;
const UNBOUNDED = 2n ** 100n;
/** No transaction with rings of 16 and two outputs weighs as much for each of its inputs. */
const BYTES_OF_INPUT = 2_300n;
const XMR = 10n ** 12n;
const HONEST: FeeRate = { perByte: 100n, mask: 10_000n };
const payment: Payment = { slug: "xmr", toAddress: "8to", toMemo: null, amount: XMR };
const image = (digit: string) => digit.repeat(64);
const [A, B] = [image("a"), image("b")];

/** As monerod reads it: one input with a ring of one, and behind it, where nobody reads on, the fee. */
const bytesOf = (keyImage: string, fee: bigint) => `0200010200010a${keyImage}${fee.toString(16).padStart(32, "0")}`;
const feeOf = ({ raw }: PreparedPayment): bigint => {
  const { bytes } = JSON.parse(raw) as { bytes: string };
  return BigInt(`0x${bytes.slice(-32)}`);
};

function walletOf(feePerByte: bigint, says: FeeRate) {
  let spendable: string[] = [];
  const hot: HotWallet = {
    address: async () => "4hot",
    outputs: async () =>
      [A, B].map((key_image) => ({ amount: 10n ** 9n * XMR, key_image, frozen: false, unlocked: true })),
    spendOnly: async (keyImages) => void (spendable = [...keyImages]),
    payments: async () => [],
    sign: async (_address, amount) => {
      const fee = expectedFee(says, spendable.length);
      const tx_blob = bytesOf(spendable[0] ?? "", fee);
      const signed = { tx_hash: image("e"), tx_blob, tx_key: "01", amount, fee };
      return { ...signed, spent_key_images: { key_images: spendable } };
    },
  };
  const daemon: Partial<Daemon> = {
    head: async () => ({ height: 1, hash: "", parentHash: "" }),
    unspent: async (keyImages) => new Set(keyImages),
    feeRate: async () => says,
    lookUp: async () => ({ kind: "absent" }),
    submit: async () => ({ isAccepted: false, isInvalid: true, reason: "fee too low" }),
  };
  return createMoneroWalletFrom(daemon as Daemon, hot, { networkTitle: "XMR", slug: "xmr", feePerByte });
}

/** A payment is signed while the node is honest; then all that is signed over its outputs, and the next payment, once it lies. */
async function fees(feePerByte: bigint, lie: Partial<FeeRate>): Promise<bigint[]> {
  const says = { ...HONEST };
  const wallet = walletOf(feePerByte, says);
  const first = await wallet.chooseHandle(payment, []);
  const stuck = [await wallet.prepare(payment, first)];
  Object.assign(says, lie);
  const results = await Promise.allSettled([
    wallet.chooseHandle(payment, [first]).then((handle) => wallet.prepare(payment, handle)),
    wallet.prepareReplacement?.(payment, first, stuck, []),
    // What an older version, or somebody else, has written into a row.
    wallet.prepare(payment, { ...first, data: { ...first.data, maxFee: `${XMR * XMR}` } }),
  ]);
  const signed = results.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []));
  return [...stuck, ...signed].map(feeOf);
}

describe("a payout signed with a lying node of Monero", () => {
  it.each([
    ["a byte costs a thousand times as much", { perByte: 1_000n * HONEST.perByte }],
    ["fees are rounded up to whole coins", { mask: XMR }],
    ["both", { perByte: 1_000n * HONEST.perByte, mask: XMR }],
  ])("is within the cap where %s, and without the cap isn't", async (_, lie) => {
    for (const fee of await fees(CAP, lie)) expect(fee).toBeLessThanOrEqual(CAP * BYTES_OF_INPUT);
    const unbounded = await fees(UNBOUNDED, lie);
    expect(unbounded).toHaveLength(4);
    for (const fee of unbounded.slice(1)) expect(fee).toBeGreaterThan(CAP * BYTES_OF_INPUT);
  });

  it.each([{ perByte: 1_000n * HONEST.perByte }, { mask: XMR }])("is nothing while it asks for more", async (lie) => {
    await expect(walletOf(CAP, { ...HONEST, ...lie }).chooseHandle(payment, [])).rejects.toThrow(FeesOverCapError);
  });

  it("is what an honest one would be signed, as long as the cap allows it", async () => {
    expect(await fees(CAP, {})).toEqual(Array.from({ length: 4 }, () => expectedFee(HONEST, 1)));
  });
});
