import { getAddress, keccak256, type Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { evmOver } from "../support/scenarios/swap-scenario.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";
import { quantitySchema } from "../../server/chains/evm/schemas.ts";
import { startEvmSetup, type EvmSetup } from "./support/evm.ts";

const GAS_OF_A_TURN = 26;
const USDT = { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" };
const ETH = { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" };
/** About 6 USD. */
const SIX_USDT = 6_000_000n;
/** 5 USD at the test's price. */
const WORTH_WEI = 2n * 10n ** 15n;
const REVERTS: Hex = "0x60006000fd";

/** A contract whose fallback takes the coins after it has burned so much gas. */
const burner = (gas: number): Hex =>
  `0x63${Math.floor(gas / GAS_OF_A_TURN)
    .toString(16)
    .padStart(8, "0")}5b6001900380600557 00`.replace(" ", "") as Hex;

let setup: EvmSetup;
let database: TestDatabase;
let testEngine: TestEngine;
let made = 0;

beforeAll(async () => {
  setup = await startEvmSetup();
  await setup.devnet.setPaused(true);
});
afterAll(() => setup.end());
beforeEach(async () => {
  database = await freshDatabase();
  const { reader, wallet } = evmOver({ devnet: setup.devnet, ...setup.keys });
  const contractAddresses = new Map(Object.entries(setup.devnet.contracts));
  testEngine = await createTestEngine({ database, reader, wallet, contractAddresses });
  await testEngine.settle();
});
afterEach(() => database.drop());

const newAddress = () => getAddress(`0x${(made += 1).toString(16).padStart(4, "0").repeat(10)}`);
const setCode = (address: string, code: Hex) => setup.ask("anvil_setCode", [address, code], z.unknown());
const balanceOf = (address: string) => setup.ask("eth_getBalance", [address, "latest"], quantitySchema);

/** An order that pays ether to an address, and its deposit in the next block. */
async function order(destinationAddress: string): Promise<void> {
  const body = orderBody({
    instrumentFrom: USDT,
    instrumentTo: ETH,
    destinationAddress,
    claimedDepositAmount: "6",
    claimedPublicRate: { price: "1", updatedAt: new Date().toISOString(), claimedAmountToReceive: "1" },
  });
  const { depositAddress } = await testEngine.engine.orderService.create(body, { key: "test", traceId: "test" });
  await setup.devnet.pay({ to: depositAddress, slug: "usdt-erc20", amount: SIX_USDT });
}

async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    await setup.devnet.mine(1);
    await database.kysely
      .updateTable("payouts")
      .set({ next_attempt_at: new Date(0), resend_at: null })
      .where("next_attempt_at", "is not", null)
      .execute();
    await testEngine.settle();
  }
}

const payoutTo = (address: string) =>
  database.kysely
    .selectFrom("payouts")
    .select(["state", "review_reason"])
    .where("to_address", "=", address)
    .executeTakeFirst();

describe("a payout of ether", () => {
  it.each([
    ["burns 24 million gas", burner(24_000_000), "gas_over_cap"],
    ["burns 26 million gas", burner(26_000_000), "gas_over_cap"],
    ["reverts", REVERTS, "destination_reverts"],
  ])("to a contract that %s is held, costs nothing, and holds up no payout behind it", async (_, code, reason) => {
    const [hostile, plain] = [newAddress(), newAddress()];
    await order(hostile);
    await order(plain);
    // The account had no code when the order was made.
    await setCode(hostile, code);
    const before = await balanceOf(setup.keys.hotAddress);
    await blocks(10);
    expect(await payoutTo(hostile)).toEqual({ state: "review", review_reason: reason });
    expect(await payoutTo(plain)).toEqual({ state: "final", review_reason: null });
    const paid = await balanceOf(plain);
    expect(paid).toBeGreaterThan(0n);
    const cost = before - (await balanceOf(setup.keys.hotAddress)) - paid;
    expect(cost).toBeLessThan(WORTH_WEI / 10n);
    expect(
      await database.kysely.selectFrom("payout_handles").select("id").where("released_at", "is", null).execute(),
    ).toEqual([]);
  });

  it("to a contract that takes little more gas arrives", async () => {
    const wallet = newAddress();
    await setCode(wallet, burner(20_000));
    await order(wallet);
    await blocks(10);
    expect(await payoutTo(wallet)).toEqual({ state: "final", review_reason: null });
    expect(await balanceOf(wallet)).toBeGreaterThan(0n);
  });
});

describe("a payout whose stored bytes fit in no block", () => {
  it("passes its nonce to an empty payment, so that those behind it arrive, and can be signed again", async () => {
    const [stuck, behind] = [newAddress(), newAddress()];
    await order(stuck);
    await blocks(3);
    const account = mnemonicToAccount(setup.keys.mnemonic, { path: "m/44'/60'/1'/0/0" });
    const row = await database.kysely.selectFrom("payouts").select("id").executeTakeFirstOrThrow();
    // As an older version stored it: more gas than a block has.
    const handle = await database.kysely.selectFrom("payout_handles").select(["data", "id"]).executeTakeFirstOrThrow();
    const nonce = Number(handle.data["nonce"]);
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n };
    const chainId = setup.devnet.chainId;
    const raw = await account.signTransaction({
      type: "eip1559",
      chainId,
      nonce,
      to: stuck,
      value: 1n,
      gas: 40_000_000n,
      ...fees,
    });
    await setup.ask("anvil_dropAllTransactions", [], z.unknown());
    await database.kysely
      .updateTable("payout_attempts")
      .set({ raw, tx_id: keccak256(raw) })
      .where("payout_id", "=", row.id)
      .execute();
    await order(behind);
    await blocks(16);
    expect(await payoutTo(behind)).toEqual({ state: "final", review_reason: null });
    expect(await payoutTo(stuck)).toEqual({ state: "review", review_reason: "broadcast_refused" });
    const attempts = await database.kysely
      .selectFrom("payout_attempts")
      .select("status")
      .where("payout_id", "=", row.id)
      .execute();
    expect(attempts).toEqual([{ status: "dead" }]);
    expect(await balanceOf(stuck)).toBe(0n);
  });
});
