import { afterEach, beforeEach, expect, it } from "vitest";
import { LitecoinSwap } from "../support/scenarios/litecoin-swap.ts";

const PAY_LTC = { action: "pay", scope: "LTC", direction: "both" } as const;

let swap: LitecoinSwap;
beforeEach(async () => {
  swap = await LitecoinSwap.open();
  swap.ether.mine(8);
  await swap.start();
});
afterEach(() => swap.close());

const reserved = async () =>
  (await swap.database.pool.query<{ key: string }>("select key from payout_handles where released_at is null")).rows;

/** As a process leaves it that ends between the choice of a nonce and the signature. */
const reserveForPayout = () =>
  swap.database.pool.query(
    "insert into payout_handles (network, key, payout_id, data) select network, 'nonce 7', id, '{}' from payouts",
  );

it("a payment that is stopped gives back what it had reserved before a crash: others would wait behind its nonce", async () => {
  await swap.engine.switches.stop({ ...PAY_LTC, reason: "a check" });
  await swap.pay();
  await swap.blocks(4);
  await reserveForPayout();
  expect(await reserved()).toHaveLength(1);
  await swap.blocks(6);
  expect([swap.paid, await reserved()]).toEqual([0, []]);
  await swap.engine.switches.release(PAY_LTC);
  await swap.blocks(6);
  expect(swap.paid).toBe(1);
});

it("a payment that can't be prepared gives back what it has reserved, and is paid once it can be", async () => {
  const prepare = swap.litecoin.prepare.bind(swap.litecoin);
  let asked = 0;
  swap.litecoin.prepare = () => {
    asked += 1;
    return Promise.reject(new Error("the node refuses this payment"));
  };
  await swap.pay();
  await swap.blocks(4);
  expect(asked).toBeGreaterThan(0);
  expect([swap.paid, await reserved()]).toEqual([0, []]);
  swap.litecoin.prepare = prepare;
  await swap.blocks(10);
  expect(swap.paid).toBe(1);
});

it("a payment that can't be prepared keeps a nonce below those of others, which would wait for the gap to be filled", async () => {
  await swap.engine.switches.stop({ ...PAY_LTC, reason: "a check" });
  await swap.pay();
  await swap.blocks(4);
  await reserveForPayout();
  await swap.database.pool.query(`
    with other as (
      insert into payouts (purpose, network, slug, to_address, amount, state, review_reason, created_at)
      select 'consolidation', network, slug, to_address, amount, 'review', 'held', created_at from payouts returning id, network)
    insert into payout_handles (network, key, payout_id, data) select network, 'nonce 8', id, '{}' from other`);
  swap.litecoin.prepare = () => Promise.reject(new Error("the node refuses this payment"));
  await swap.engine.switches.release(PAY_LTC);
  await swap.blocks(4);
  expect((await reserved()).map(({ key }) => key).toSorted()).toEqual(["nonce 7", "nonce 8"]);
});
