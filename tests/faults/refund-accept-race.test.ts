import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { kindsOf } from "../support/scenarios/test-engine.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const CALLS = 50;

let database: TestDatabase;
let swap: FaultySwap;

/** A fixed order whose market has moved: the customer may accept or request a refund. */
beforeEach(async () => {
  database = await freshDatabase();
  swap = await FaultySwap.over(database);
  await swap.open({ rateMode: "FIXED", refundAddress: "refund" });
  swap.pay();
  await swap.blocks(1);
  swap.testEngine.rates.prices.set("eth", 2500n * 10n ** 18n);
  await swap.blocks(3);
});
afterEach(async () => {
  await swap.expectLawful();
  await database.drop();
});

const accept = () =>
  swap.testEngine.engine.orderService.acceptRateModeChange({
    orderId: swap.order.orderId,
    destinationAddress: "destination",
  });

async function refundBody() {
  const quoted = await swap.testEngine.engine.orderService.refundInfo(swap.order.orderId);
  return {
    orderId: swap.order.orderId,
    destinationAddress: "destination",
    refundAddress: "refund",
    refundAmount: quoted.refundAmountWithoutNetworkFee,
    claimedNetworkFee: quoted.networkFee,
  };
}

describe("fifty calls at once", () => {
  it.each([
    ["a refund first", 0],
    ["an acceptance first", 1],
  ])(
    "of refund and acceptance, %s: one kind wins, every loser gets a coded error, one payment leaves",
    async (_, first) => {
      const body = await refundBody();
      const refund = () => swap.testEngine.engine.orderService.requestRefund(body);
      const results = await Promise.allSettled(
        Array.from({ length: CALLS }, (_, at) => (at % 2 === first ? refund() : accept())),
      );
      const kinds = kindsOf(await swap.info());
      const isRefund = kinds.includes("REFUND_REQUESTED");
      expect(kinds.includes("RATE_MODE_CHANGE_ACCEPTED")).toBe(!isRefund);
      results.forEach((result, at) => {
        const isWinner = (at % 2 === first) === isRefund;
        if (isWinner && result.status === "rejected")
          throw new Error(`call ${at}, of the winning kind, was rejected`, { cause: result.reason });
        expect([at, result.status]).toEqual([at, isWinner ? "fulfilled" : "rejected"]);
        if (result.status === "rejected") expect(result.reason).toBeInstanceOf(CodedError);
      });
      await swap.blocks(6);
      expect(swap.paid()).toHaveLength(1);
      expect(swap.chain.received("refund", "eth")).toHaveLength(isRefund ? 1 : 0);
    },
  );

  it("while a worker pays the accepted offer: no refund is accepted, and one payment leaves", async () => {
    const body = await refundBody();
    await accept();
    const calls = Array.from({ length: CALLS }, () => swap.testEngine.engine.orderService.requestRefund(body));
    const [, ...results] = await Promise.allSettled([swap.settle(), ...calls]);
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
    await swap.blocks(6);
    expect(swap.chain.received("destination", "usdt-erc20")).toHaveLength(1);
    expect(swap.paid()).toHaveLength(1);
  });
});
