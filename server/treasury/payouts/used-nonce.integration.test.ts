import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { timePasses } from "../../../tests/support/scenarios/dying-process.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import type { Handle, Payment } from "../../chains/port.ts";

const HALF_ETH = 5n * 10n ** 17n;
const FINAL = 8;
const client = { key: "c", traceId: "t" };

/** A wallet that chooses a nonce for a payment to "slow", and answers only when the test lets it. */
class SlowChain extends FakeChain {
  readonly chosen = Promise.withResolvers<void>();
  readonly answer = Promise.withResolvers<void>();
  #isSlow = true;

  override async chooseHandle(payment: Payment, reserved: readonly Handle[]): Promise<Handle> {
    const handle = await super.chooseHandle(payment, reserved);
    if (payment.toAddress === "slow" && this.#isSlow) {
      this.#isSlow = false;
      this.chosen.resolve();
      await this.answer.promise;
    }
    return handle;
  }
}

let database: TestDatabase;
let chain: SlowChain;
beforeEach(async () => {
  database = await freshDatabase();
  chain = new SlowChain();
  chain.mine(2);
});
afterEach(() => database.drop());

const worker = () => createTestEngine({ database, reader: chain, wallet: chain });
const order = async ({ engine }: TestEngine, destinationAddress: string) => {
  const { depositAddress } = await engine.orderService.create(orderBody({ destinationAddress }), client);
  chain.deposit(depositAddress, "eth", HALF_ETH);
};
const blocks = async ({ settle }: TestEngine, count: number) => {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await settle();
  }
};
const payments = () =>
  database.kysely.selectFrom("payouts").select(["to_address", "state", "review_reason"]).orderBy("id").execute();
const nonces = async () =>
  (await database.kysely.selectFrom("payout_handles").select("data").orderBy("id").execute()).map(({ data }) => data);

it("a nonce that was chosen before another payment became final with it is not reserved again", async () => {
  const [one, other] = [await worker(), await worker()];
  await one.settle();
  await order(one, "slow");
  chain.mine(3);
  // It chooses nonce 0, and stalls.
  const stalled = one.settle();
  await chain.chosen.promise;

  await order(other, "quick");
  await blocks(other, 3 + FINAL);
  expect(await payments()).toMatchObject([
    { to_address: "slow", state: "intended" },
    { to_address: "quick", state: "final" },
  ]);

  chain.answer.resolve();
  await stalled;
  await timePasses(database);
  await blocks(one, FINAL);
  expect(await nonces()).toMatchObject([{ nonce: 0 }, { nonce: 1 }]);
  expect(await payments()).toMatchObject([{ state: "final" }, { state: "final" }]);
  expect(chain.received("slow", "usdt-erc20")).toHaveLength(1);
  expect(chain.received("quick", "usdt-erc20")).toHaveLength(1);
});

it("a nonce that a worker of an older version releases as it did is not reserved again either", async () => {
  const [one, other] = [await worker(), await worker()];
  await one.settle();
  await order(one, "slow");
  chain.mine(3);
  const stalled = one.settle();
  await chain.chosen.promise;

  await order(other, "quick");
  await blocks(other, 3 + FINAL);
  await database.kysely.updateTable("payout_handles").set({ released_at: null, used_at: null }).execute();
  await database.kysely.updateTable("payout_handles").set({ released_at: new Date() }).execute();
  chain.answer.resolve();
  await stalled;
  await timePasses(database);
  await blocks(one, FINAL);
  expect(await nonces()).toMatchObject([{ nonce: 0 }, { nonce: 1 }]);
  expect(await payments()).toMatchObject([{ state: "final" }, { state: "final" }]);
  expect(chain.received("slow", "usdt-erc20")).toHaveLength(1);
  expect(chain.received("quick", "usdt-erc20")).toHaveLength(1);
});
