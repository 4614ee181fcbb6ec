import { describe, expect, it, onTestFinished, vi } from "vitest";
import { noDatabase } from "../../tests/support/database/no-database.ts";
import { TestMarket, testApp } from "../../tests/support/http/http-app.ts";
import { loadCatalogue } from "../catalogue/index.ts";

async function open(available: (slug: string) => bigint | null = () => null) {
  const market = new TestMarket();
  const rates = market.rates(await loadCatalogue(), available);
  const pairData = vi.spyOn(rates, "pairData");
  const app = await testApp(noDatabase(), { market, rates, available });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return { app, market, pairData };
}

describe("/rates.xml", () => {
  it("has every pair of coins that the monitors know, by their names, and agrees with the rate call", async () => {
    const { app } = await open();
    const { body, headers } = await app.inject("/rates.xml");
    expect(headers["content-type"]).toBe("application/xml; charset=utf-8");
    const items = [...body.matchAll(/<item><from>(\w+)<\/from><to>(\w+)<\/to>/g)].map(
      ([, from, to]) => `${from}-${to}`,
    );
    const coins = ["ETH", "USDTERC20", "USDCERC20", "DAI"];
    expect(items).toEqual(coins.flatMap((from) => coins.filter((to) => to !== from).map((to) => `${from}-${to}`)));
    const [, out, min, max, fee] =
      /<from>ETH<\/from><to>USDTERC20<\/to><in>1<\/in><out>([\d.]+)<\/out><amount>[\d.]+<\/amount><frommin>([\d.]+)<\/frommin><frommax>([\d.]+)<\/frommax><tofee>([\d.]+)</.exec(
        body,
      ) ?? [];
    const query = { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20", claimedDepositAmount: "1" };
    const rate = (await app.inject({ url: "/api/v2/rates/public/one", query })).json<Record<string, unknown>>();
    expect(rate["depositRules"]).toEqual({ minAmount: min, maxAmount: max });
    expect(Number(out) - Number(fee)).toBeCloseTo(Number(rate["amountToGet"]), 6);
  });

  it("leaves out what can't be paid out now", async () => {
    const { app } = await open((slug) => (slug === "eth" ? 0n : null));
    const { body } = await app.inject("/rates.xml");
    expect(body).not.toContain("<to>ETH</to>");
    expect(body).toContain("<from>ETH</from>");
  });

  it("is made once for all who ask on a snapshot, and not sent to who has it", async () => {
    const { app, pairData } = await open();
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.inject("/rates.xml")));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(pairData).toHaveBeenCalledTimes(12);
    const etag = String(answers[0]?.headers["etag"]);
    const again = await app.inject({ url: "/rates.xml", headers: { "if-none-match": etag } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    expect(pairData).toHaveBeenCalledTimes(12);
  });

  it("is 503 while nothing can be quoted", async () => {
    const { app, market } = await open();
    market.advance(60);
    const { statusCode, headers } = await app.inject("/rates.xml");
    expect([statusCode, headers["retry-after"]]).toEqual([503, "3"]);
  });
});
