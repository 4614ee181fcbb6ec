import { describe, expect, it } from "vitest";
import { addDecimals } from "#contract/money.ts";
import { feeRows } from "./fee-rows.ts";
import { sampleRate } from "../testing/samples.ts";

describe("feeRows", () => {
  it("gives the column of the calculator", () => {
    expect(feeRows(sampleRate())).toEqual({
      marketValue: "1500",
      platformFee: "7.5",
      networkFee: "0.2",
      amountToGet: "1492.3",
      marketRate: "3000",
      platformFeePercent: "0.5",
    });
  });

  it("adds up as shown, also where the figures have more decimals than are shown", () => {
    const rows = feeRows(
      sampleRate({
        amountToGet: "0.123456789012345678",
        platformFee_Absolute: "0.000617283945061728",
        finalNetworkFeeAmount: "0.000000000000000001",
      }),
    );
    expect(rows.amountToGet).toBe("0.12345678");
    expect(rows.networkFee).toBe("0.00000001");
    expect(addDecimals(rows.platformFee, rows.networkFee, rows.amountToGet)).toBe(rows.marketValue);
  });

  it.each([
    ["15", "1485", "1"],
    ["0", "1500", "0"],
    ["12.34", "987.66", "1.23"],
  ])("a fee of %s beside %s is %s %%", (platformFee_Absolute, amountToGet, percent) => {
    expect(
      feeRows(sampleRate({ platformFee_Absolute, amountToGet, finalNetworkFeeAmount: "0" })).platformFeePercent,
    ).toBe(percent);
  });
});
