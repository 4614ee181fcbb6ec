import { getAddress, parseTransaction } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createEvmWallet } from "../../server/chains/evm/network.ts";
import { blockRefSchema } from "../../server/chains/evm/schemas.ts";
import type { Handle, SweepingWallet } from "../../server/chains/port.ts";
import { EVM_CAPS } from "../support/chains/evm-caps.ts";
import { startEvmSetup, type EvmSetup } from "./support/evm.ts";

let setup: EvmSetup;
let wallet: SweepingWallet;
beforeAll(async () => {
  setup = await startEvmSetup();
  await setup.devnet.setPaused(true);
  wallet = createEvmWallet({ ...setup.options(), mnemonic: setup.keys.mnemonic, caps: EVM_CAPS });
});
afterAll(() => setup.end());

const addressOf = (digit: string) => getAddress(`0x${digit.repeat(40)}`);
const payment = (digit: string) => ({ slug: "eth", toAddress: addressOf(digit), toMemo: null, amount: 10n ** 15n });
const head = () => setup.ask("eth_getBlockByNumber", ["latest", false], blockRefSchema);

it("bytes are dead once another transaction has their nonce, from its block on, and those of that one are not", async () => {
  const handle = await wallet.chooseHandle(payment("7"), []);
  const [ours, other] = [await wallet.prepare(payment("7"), handle), await wallet.prepare(payment("8"), handle)];
  const before = await head();
  expect(await wallet.deadAt?.(ours, before.number)).toBeNull();
  expect(await wallet.usesHandle?.(other.txId, handle)).toBe(false);

  await wallet.broadcast(other);
  expect(await wallet.usesHandle?.(other.txId, handle)).toBe(false);
  await setup.devnet.mine(1);
  const after = await head();
  expect(await wallet.lookup(ours.txId)).toEqual({ kind: "absent" });
  expect(await wallet.deadAt?.(ours, before.number)).toBeNull();
  expect(await wallet.deadAt?.(ours, after.number)).toBe(after.hash);
  expect(await wallet.deadAt?.(ours, after.number + 1)).toBeNull();
  expect(await wallet.deadAt?.(other, after.number)).toBeNull();
  expect(await wallet.usesHandle?.(other.txId, handle)).toBe(true);
  const next = await wallet.chooseHandle(payment("7"), []);
  expect(await wallet.usesHandle?.(other.txId, next)).toBe(false);
  expect(await wallet.broadcast(ours)).toMatchObject({ kind: "unknown" });
});

it("bytes that are not known are never dead", async () => {
  const { number } = await head();
  expect(await wallet.deadAt?.({ raw: "", txId: `0x${"a".repeat(64)}` }, number)).toBeNull();
});

it("a gap of nonces is filled by empty payments, and what waited above it is taken", async () => {
  const first = await wallet.chooseHandle(payment("9"), []);
  const at = (ahead: number): Handle => {
    const nonce = Number(first.data["nonce"]) + ahead;
    return { keys: [`${wallet.hotAddress()}:${nonce}`], data: { ...first.data, nonce } };
  };
  const above = await wallet.prepare(payment("9"), at(2));
  await wallet.broadcast(above);
  await setup.devnet.mine(1);
  const before = await head();
  const used = await wallet.noncesUsed?.(wallet.hotAddress(), before.number);
  expect(used).toEqual({ used: first.data["nonce"], hash: before.hash });
  for (const ahead of [0, 1]) {
    const empty = await wallet.prepareCancellation?.(at(ahead), []);
    const { maxFeePerGas = 0n } = parseTransaction((empty?.raw ?? "0x") as `0x02${string}`);
    expect(empty?.maxCost).toBe(21_000n * maxFeePerGas);
    expect(await wallet.broadcast(empty ?? above)).toEqual({ kind: "accepted" });
  }
  await setup.devnet.mine(1);
  const { number } = await head();
  expect(await wallet.noncesUsed?.(wallet.hotAddress(), number)).toMatchObject({ used: (used?.used ?? 0) + 3 });
  expect(await wallet.noncesUsed?.(wallet.hotAddress(), number + 1)).toBeNull();
  expect(await wallet.lookup(above.txId)).toMatchObject({ kind: "mined", succeeded: true });
});
