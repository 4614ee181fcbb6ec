import { describe, expect, it } from "vitest";
import { type PublishedRate, ratesXml } from "./rates-xml.ts";

const RATE: PublishedRate = {
  from: "ETH",
  to: "USDTERC20",
  data: {
    amountToGive: "0.17",
    amountToGet: "505.45",
    finalNetworkFeeAmount: "2",
    depositRules: { minAmount: "0.01", maxAmount: "30" },
  },
  available: "1000000",
};

const itemOf = (rate: PublishedRate) => /<item>.*<\/item>/.exec(ratesXml([rate]))?.[0];

describe("the feed of rates", () => {
  it("is an export file of format 1.1", () => {
    expect(ratesXml([RATE]).split("\n")).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      expect.stringMatching(/^<rates .*docs\.bestchange\.biz\/schema\/1\.1\.xsd">$/),
      "<item><from>ETH</from><to>USDTERC20</to><in>1</in><out>2985</out><amount>89550</amount>" +
        "<frommin>0.01</frommin><frommax>30</frommax><tofee>2</tofee></item>",
      "</rates>",
      "",
    ]);
  });

  it.each([
    ["no more than there is", "12.5", "12.5"],
    ["no more than the largest order takes", "1000000", "89550"],
    ["what the largest order takes, where the balance is unknown", null, "89550"],
    ["nothing, where there is nothing", "0", "0"],
  ])("promises %s", (_, available, amount) =>
    expect(itemOf({ ...RATE, available })).toContain(`<amount>${amount}</amount>`),
  );

  it("has no bound and no fee where there is none", () => {
    const data = { ...RATE.data, finalNetworkFeeAmount: "0", depositRules: { minAmount: "0.01", maxAmount: null } };
    expect(itemOf({ ...RATE, data })).not.toMatch(/frommax|tofee/);
  });

  it("writes a small rate in plain figures", () => {
    const data = { ...RATE.data, amountToGive: "9000000", amountToGet: "0.0123", finalNetworkFeeAmount: "0.0001" };
    expect(itemOf({ ...RATE, data, available: "1" })).toContain("<out>0.00000000137777777777</out>");
  });

  it("escapes names", () => expect(itemOf({ ...RATE, from: "A&<B>" })).toContain("<from>A&amp;&lt;B&gt;</from>"));
});
