import { describe, expect, it } from "vitest";
import type { OrderEventKind } from "#contract/order.ts";
import { feesOf, receiptOf } from "./receipt.ts";
import { at, deposit, sampleOrder, withdrawal } from "../testing/sample-order.ts";

const DONE: OrderEventKind[] = [
  "CREATION_END",
  "DEPOSIT_REGISTERED",
  "INCOMING_FUNDS_DETECTED",
  "FUNDS_WITHDRAWAL_START",
  "WITHDRAWAL_COMPLETED",
];

describe("a payout's receipt", () => {
  it("says that what was quoted was delivered", () => {
    const receipt = receiptOf(
      sampleOrder(DONE, { deposits: [deposit("0.5", 3)], withdrawals: [withdrawal("1490", "payout")] }),
      "payout",
    );
    expect(receipt).toMatchObject({
      sent: "0.5",
      quoted: "1490",
      delivered: "1490",
      isAsQuoted: true,
      rate: "2980",
      secondsAfterDeposit: 2,
    });
    expect(receipt.txIds).toHaveLength(1);
  });

  it("puts a quote beside another sum that was delivered, and takes the rate from what moved", () => {
    const deposits = [deposit("0.1", 3, { txId: "0x1" }), deposit("0.3", 3, { txId: "0x2" })];
    const receipt = receiptOf(
      sampleOrder(DONE, { rateMode: "FLOATING", deposits, withdrawals: [withdrawal("1196.123456", "payout")] }),
      "payout",
    );
    expect(receipt).toMatchObject({
      sent: "0.4",
      quoted: "1490",
      delivered: "1196.123456",
      isAsQuoted: false,
      rate: "2990.30864",
    });
    expect(receipt.depositTxIds).toEqual(["0x1", "0x2"]);
  });

  it("leaves out what came once the payout had begun: it was not exchanged", () => {
    const deposits = [deposit("0.5", 3, { txId: "0x1" }), deposit("0.1", 3, { txId: "0x2", detectedAt: at(4) })];
    const order = sampleOrder(DONE, { deposits, withdrawals: [withdrawal("1490", "payout")] });
    expect(receiptOf(order, "payout")).toMatchObject({ sent: "0.5", rate: "2980", depositTxIds: ["0x1"] });
  });

  it("names the sum that was accepted between the one that was promised and the one that came", () => {
    const kinds: OrderEventKind[] = [
      ...DONE.slice(0, 3),
      "FIXED_RATE_HIGH_VOLATILITY_DETECTED",
      "RATE_MODE_CHANGED",
      "RATE_MODE_CHANGE_ACCEPTED",
      ...DONE.slice(3),
    ];
    const order = sampleOrder(kinds, {
      amountToGet: "1470.332",
      deposits: [deposit("0.5", 3)],
      withdrawals: [withdrawal("1470.332", "payout")],
    });
    expect(receiptOf(order, "payout")).toMatchObject({
      quoted: "1490",
      accepted: "1470.332",
      delivered: "1470.332",
      isAsQuoted: false,
    });
    expect(receiptOf(sampleOrder(DONE), "payout").accepted).toBeNull();
  });

  it("counts only what was exchanged, and no deposit that was too small to count", () => {
    const order = sampleOrder(DONE, {
      deposits: [deposit("0.0001", 3, { isCounted: false }), deposit("0.5", 3)],
      withdrawals: [withdrawal("1490", "payout")],
    });
    expect(receiptOf(order, "payout")).toMatchObject({ sent: "0.5", rate: "2980" });
  });

  it("invents no rate and no duration where there are no data for them", () => {
    const receipt = receiptOf(sampleOrder(["CREATION_END"]), "payout");
    expect(receipt).toMatchObject({
      sent: "0",
      delivered: "0",
      rate: null,
      finishedAt: null,
      secondsAfterDeposit: null,
    });
  });
});

describe("a refund's receipt", () => {
  it("counts refunds alone, in the coin that was sent", () => {
    const kinds: OrderEventKind[] = [...DONE.slice(0, 3), "REFUND_REQUESTED", "REFUND_COMPLETED"];
    const order = sampleOrder(kinds, {
      deposits: [deposit("0.5", 3)],
      withdrawals: [withdrawal("0.499000000000000001", "refund")],
    });
    expect(receiptOf(order, "refund")).toMatchObject({
      delivered: "0.499000000000000001",
      rate: null,
      isAsQuoted: false,
      secondsAfterDeposit: 2,
    });
    expect(receiptOf(order, "payout").delivered).toBe("0");
  });
});

describe("the fees of an order", () => {
  const quoted = { price: "1", platformFee_Absolute: "15", finalNetworkFeeAmount: "2", claimedAmountToReceive: "1483" };

  it("are those of the quote until a payout is decided", () => {
    const fees = feesOf(sampleOrder([], { claimedPublicRate: quoted, amountToGet: "1483" }));
    expect(fees).toEqual({ platformFee: "15", networkFee: "2", percent: "1" });
  });

  it("are those that were charged once the customer has accepted a new rate for a different sum", () => {
    const feesTaken = { platformFee: "6", networkFee: "3" };
    const fees = feesOf(sampleOrder(DONE, { claimedPublicRate: quoted, amountToGet: "1191", feesTaken }));
    expect(fees).toEqual({ platformFee: "6", networkFee: "3", percent: "0.5" });
  });
});

describe("our fee in percent", () => {
  const withFees = (platformFee_Absolute: string, finalNetworkFeeAmount: string, claimedAmountToReceive: string) =>
    feesOf(
      sampleOrder([], {
        claimedPublicRate: { price: "1", platformFee_Absolute, finalNetworkFeeAmount, claimedAmountToReceive },
      }),
    ).percent;

  it.each([
    ["7.5", "2.5", "1490", "0.5"],
    ["10", "0", "990", "1"],
    ["0", "1", "99", "0"],
    ["0.009999", "0.000001", "1.99", "0.5"],
    ["3.6", "0", "96.4", "3.6"],
    ["0", "0", "0", null],
  ])("fee %s, network %s, get %s: %s", (fee, network, get, percent) =>
    expect(withFees(fee, network, get)).toBe(percent),
  );
});
