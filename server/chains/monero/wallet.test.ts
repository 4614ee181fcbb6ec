import { describe, expect, it } from "vitest";
import type { Handle } from "../port.ts";
import type { Daemon } from "./daemon.ts";
import type { HotWallet } from "./hot-wallet.ts";
import type { HotOutput } from "./schemas.ts";
import { createMoneroWalletFrom } from "./wallet.ts";

const RATE = { perByte: 100n, mask: 10_000n };
/** Twice what one input of 2,300 bytes costs at that rate, in whole masks. */
const MOST_FOR_ONE = 460_000n;
const AMOUNT = 10_000_000n;
const payment = { slug: "xmr", toAddress: "8to", toMemo: null, amount: AMOUNT };

const image = (digit: string) => digit.repeat(64);
const output = (digit: string, amount: bigint, changes: Partial<HotOutput> = {}): HotOutput => ({
  amount,
  key_image: image(digit),
  frozen: false,
  unlocked: true,
  ...changes,
});

/** A wallet and a node with scripted answers. */
function fakes(outputs: HotOutput[], spent: string[] = []) {
  const signed = {
    tx_hash: image("e"),
    tx_blob: "00",
    tx_key: "01",
    amount: AMOUNT,
    fee: 1n,
    spent_key_images: { key_images: [image("a")] },
  };
  const hot: HotWallet = {
    address: async () => "4hot",
    outputs: async () => outputs,
    spendOnly: async () => undefined,
    payments: async () => [],
    sign: async () => signed,
  };
  const daemon: Pick<Daemon, "head" | "unspent" | "feeRate"> = {
    head: async () => ({ height: 1, hash: "", parentHash: "" }),
    unspent: async (images) => new Set(images.filter((one) => !spent.includes(one))),
    feeRate: async () => RATE,
  };
  const options = { networkTitle: "XMR", slug: "xmr", feePerByte: null };
  return { signed, wallet: createMoneroWalletFrom(daemon as Daemon, hot, options) };
}

describe("the outputs of a payment", () => {
  const choose = async (outputs: HotOutput[], reserved: Handle[] = [], spent: string[] = []) =>
    (await fakes(outputs, spent).wallet.chooseHandle(payment, reserved)).keys;

  it("are the smallest one that is enough for amount, fee and margin", async () => {
    const enough = AMOUNT + MOST_FOR_ONE;
    expect(await choose([output("a", enough - 1n), output("b", enough + 5n), output("c", enough)])).toEqual([
      image("c"),
    ]);
  });

  it("are the largest ones together when none is enough", async () => {
    const parts = [output("a", 1_000n), output("b", 8_000_000n), output("c", 9_000_000n)];
    expect(await choose(parts)).toEqual([image("c"), image("b")]);
  });

  it("are never locked, reserved by another payment, or spent according to the node", async () => {
    const rich = 2n * AMOUNT;
    const all = [output("a", rich, { unlocked: false }), output("b", rich), output("c", rich), output("d", rich)];
    const reserved = [{ keys: [image("b")], data: {} }];
    expect(await choose(all, reserved, [image("c")])).toEqual([image("d")]);
    await expect(choose(all.slice(0, 3), reserved, [image("c")])).rejects.toThrow("no free outputs");
  });
});

describe("a payment to ourselves after a restore", () => {
  const choose = (outputs: HotOutput[], reserved: Handle[] = [], before: number | null = null) =>
    fakes(outputs).wallet.chooseConsolidation?.(reserved, before, 0);

  it("spends every output that is free, and pays all but the room for its fee", async () => {
    const outputs = [output("a", AMOUNT), output("b", 2n * AMOUNT), output("c", AMOUNT, { unlocked: false })];
    const chosen = await choose(outputs);
    expect(chosen?.handle.keys).toEqual([image("b"), image("a")]);
    expect(chosen?.amount).toBe(3n * AMOUNT - BigInt(String(chosen?.handle.data["maxFee"])));
  });

  it("leaves what others have reserved, what came after the first one, and what costs more than it is worth", async () => {
    const outputs = [
      output("a", AMOUNT, { block_height: 7 }),
      output("b", AMOUNT, { block_height: 6 }),
      output("c", AMOUNT),
      output("d", 1n),
    ];
    expect((await choose(outputs, [{ keys: [image("c")], data: {} }], 7))?.handle.keys).toEqual([image("b")]);
    expect(await choose([outputs[0] as HotOutput], [], 7)).toBeNull();
    expect(await choose([outputs[3] as HotOutput])).toBeNull();
  });

  it("spends outputs that pay together what none could alone, and leaves what pays nothing", async () => {
    const small = Array.from({ length: 10 }, (_, at) => output(`${at}`, 400_000n + BigInt(at)));
    const before = await fakes(small).wallet.chooseHandle({ ...payment, amount: 2_000_000n }, []);
    const chosen = await choose(small);
    expect(chosen?.handle.keys).toEqual(small.map(({ key_image }) => key_image).toReversed());
    expect(chosen?.handle.keys).toEqual(expect.arrayContaining([...before.keys]));
    for (const left of [[output("a", 400_000n)], small.map((one) => ({ ...one, amount: 150_000n }))]) {
      expect(await choose(left)).toBeNull();
      await expect(fakes(left).wallet.chooseHandle({ ...payment, amount: 1n }, [])).rejects.toThrow("no free outputs");
    }
  });
});

describe("a signed payment", () => {
  const handle = { keys: [image("a")], data: { keyImages: [image("a")], maxFee: "500" } };

  it("comes with the key that proves it", async () => {
    const { wallet } = fakes([]);
    expect(await wallet.prepare(payment, handle)).toEqual({ raw: '{"bytes":"00","txKey":"01"}', txId: image("e") });
  });

  it.each([
    ["spends what is not reserved", { spent_key_images: { key_images: [image("a"), image("b")] } }, "has not reserved"],
    ["pays another amount", { amount: AMOUNT + 1n }, "not 10000000"],
    ["costs more than the handle allows", { fee: 501n }, "over 500"],
  ])("is thrown away when it %s", async (_what, lie, said) => {
    const { wallet, signed } = fakes([]);
    Object.assign(signed, lie);
    await expect(wallet.prepare(payment, handle)).rejects.toThrow(said);
  });
});

it("counts what is locked or frozen as its own, and nothing of another coin", async () => {
  const { wallet } = fakes([output("a", 1n, { unlocked: false }), output("b", 2n, { frozen: true })]);
  expect(await wallet.hotBalance("xmr")).toBe(3n);
  await expect(wallet.hotBalance("eth")).rejects.toThrow("eth is not");
});

it("knows its address after the first balance", async () => {
  const { wallet } = fakes([]);
  expect(() => wallet.hotAddress()).toThrow("not reported its address");
  await wallet.hotBalance("xmr");
  expect(wallet.hotAddress()).toBe("4hot");
});
