import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { storeHotAddress } from "../../treasury/balances/hot-addresses.ts";

const HALF_ETH = 5n * 10n ** 17n;
const client = { key: "c", traceId: "t" };
let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  testEngine = await createTestEngine({
    database,
    reader: chain,
    wallet: chain,
    contractAddresses: new Map([["dai-erc20", "Contract-Of-Dai"]]),
  });
});
afterEach(() => database.drop());

const create = (changes: Parameters<typeof orderBody>[0] = {}) =>
  testEngine.engine.orderService.create(orderBody(changes), client);
const refusedAt = (field: string) =>
  expect.objectContaining({ code: "ERR_VALIDATION", data: { [field]: "error_address_unpayable" } });
const orders = async () => (await database.kysely.selectFrom("orders").select("id").execute()).length;

describe("an order is refused", () => {
  it("whose destination or refund address is a deposit address of ours", async () => {
    const { depositAddress } = await create();
    await expect(create({ destinationAddress: depositAddress })).rejects.toThrow(refusedAt("destinationAddress"));
    await expect(create({ rateMode: "FIXED", refundAddress: depositAddress.toUpperCase() })).rejects.toThrow(
      refusedAt("refundAddress"),
    );
    expect(await orders()).toBe(1);
  });

  it("whose destination or refund address is a hot wallet that a worker has stored", async () => {
    await storeHotAddress(database, chain);
    await expect(create({ destinationAddress: "hot" })).rejects.toThrow(refusedAt("destinationAddress"));
    await expect(create({ rateMode: "FIXED", refundAddress: "hot" })).rejects.toThrow(refusedAt("refundAddress"));
    expect(await orders()).toBe(0);
  });

  it("whose destination or refund address is the contract of a token that the catalogue lists", async () => {
    const contract = "contract-of-dai";
    await expect(create({ destinationAddress: contract })).rejects.toThrow(refusedAt("destinationAddress"));
    await expect(create({ rateMode: "FIXED", refundAddress: contract })).rejects.toThrow(refusedAt("refundAddress"));
  });
});

it("a refund to the order's own deposit address, to another's or to the hot wallet is refused, and the order goes on", async () => {
  await testEngine.settle();
  await storeHotAddress(database, chain);
  const { orderId, depositAddress } = await create({ rateMode: "FIXED", refundAddress: "refund" });
  const other = await create();
  const request = { orderId, destinationAddress: "destination", refundAmount: "0", claimedNetworkFee: "0" };
  for (const refundAddress of [depositAddress, other.depositAddress, "hot", "contract-of-dai"])
    await expect(testEngine.engine.orderService.requestRefund({ ...request, refundAddress })).rejects.toThrow(
      refusedAt("refundAddress"),
    );
  expect((await testEngine.engine.orderService.info(orderId, "destination")).orderEvents).toHaveLength(1);
});

it("a payment to an address that became ours after the order was made is not signed", async () => {
  await testEngine.settle();
  const { depositAddress } = await create({ destinationAddress: "hot" });
  await storeHotAddress(database, chain);
  chain.deposit(depositAddress, "eth", HALF_ETH);
  for (let mined = 0; mined < 4; mined += 1) {
    chain.mine();
    await testEngine.settle();
  }
  expect(await database.kysely.selectFrom("payouts").select(["state", "review_reason"]).execute()).toEqual([
    { state: "review", review_reason: "not_authorised" },
  ]);
  expect(chain.received("hot", "usdt-erc20")).toEqual([]);
});
