import { describe, expect, it } from "vitest";
import { choose, openChoice, updateFigures } from "./choice.ts";

const offer = {
  price: "2700",
  amountToGet: "1350",
  at: "2026-11-21T14:00:00.000Z",
  validUntil: "2026-11-21T14:10:00.000Z",
};
const newer = {
  price: "2600",
  amountToGet: "1300",
  at: "2026-11-21T14:05:00.000Z",
  validUntil: "2026-11-21T14:15:00.000Z",
};
const refund = { refundAmountWithoutNetworkFee: "0.4999", networkFee: "0.0001" };
const dearer = { refundAmountWithoutNetworkFee: "0.498", networkFee: "0.002" };
const opened = openChoice({ offer, refund });

describe("a choice", () => {
  it("starts with nothing chosen and nothing struck out", () =>
    expect(opened).toMatchObject({ chosen: null, before: { accept: null, refund: null } }));

  it("stays the very same while its figures do", () =>
    expect(updateFigures(opened, { offer: { ...offer }, refund: { ...refund } })).toBe(opened));

  it("takes figures that come later without striking anything out", () => {
    const waiting = choose(openChoice({ offer, refund: null }), "accept");
    expect(updateFigures(waiting, { offer, refund })).toMatchObject({ chosen: "accept", before: { refund: null } });
  });

  it("keeps the last known refund while another one is counted", () =>
    expect(updateFigures(opened, { offer, refund: null }).shown.refund).toEqual(refund));

  it("keeps the first of two sums struck out only until the next change", () => {
    const second = updateFigures(opened, { offer: newer, refund });
    const third = updateFigures(second, { offer: { ...newer, amountToGet: "1200" }, refund });
    expect([second.before.accept, third.before.accept]).toEqual(["1350", "1300"]);
  });
});

it.each([
  ["accept", { offer: newer, refund }, null, "1350", null],
  ["accept", { offer: null, refund }, null, "1350", null],
  ["accept", { offer, refund: dearer }, "accept", null, "0.4999"],
  ["refund", { offer, refund: dearer }, null, null, "0.4999"],
  ["refund", { offer: newer, refund }, "refund", "1350", null],
  [null, { offer: newer, refund: dearer }, null, "1350", "0.4999"],
  ["accept", { offer: { ...offer, at: newer.at }, refund }, "accept", null, null],
] as const)("%s chosen, then %j: chosen %s, struck out %s and %s", (chosen, figures, after, accept, before) => {
  const choice = chosen === null ? opened : choose(opened, chosen);
  expect(updateFigures(choice, figures)).toMatchObject({ chosen: after, before: { accept, refund: before } });
});

it("says that an offer was renewed for the sum that was shown, until something is chosen or the sum changes", () => {
  const renewed = updateFigures(opened, { offer: { ...offer, at: newer.at }, refund });
  expect([opened.isRenewed, renewed.isRenewed]).toEqual([false, true]);
  expect(choose(renewed, "accept").isRenewed).toBe(false);
  expect(updateFigures(renewed, { offer: newer, refund }).isRenewed).toBe(false);
  expect(updateFigures(renewed, { offer: { ...offer, at: newer.at }, refund: dearer }).isRenewed).toBe(true);
});
