import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAmount } from "#contract/money.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { partnerProgram, type PartnerProgram } from "../../tests/support/http/partner-program.ts";

let database: TestDatabase;
let app: TestApp;
let shop: PartnerProgram;
beforeAll(async () => {
  database = await freshDatabase();
  app = await testApp(database);
  shop = await partnerProgram(app);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const USDT = "eip155:1/erc20:0xdac17f958d2ee523a2206206994597c13d831ec7";
const rate = (query: Record<string, string> = {}) =>
  shop.send(
    "GET",
    `/api/v2/partner/rates?${new URLSearchParams({
      instrumentFromSlug: "eth",
      instrumentToSlug: "usdt-erc20",
      claimedDepositAmount: "1",
      ...query,
    }).toString()}`,
  );

describe("a partner's rate", () => {
  test("counts both ways and in both rate modes, in decimals and in the chains' own units, and says how long it is good", async () => {
    for (const rateMode of ["FLOATING", "FIXED"]) {
      const { http, body } = await rate({ rateMode, markupBps: "100" });
      expect(http).toBe(200);
      expect(body).toMatchObject({
        rateMode,
        markupBps: 100,
        amountToGive: "1",
        amountToGiveUnits: "1000000000000000000",
        instrumentTo: { slug: "usdt-erc20", chainId: "eip155:1" },
        depositRules: {
          minAmountUnits: expect.stringMatching(/^\d+$/),
          maxAmountUnits: expect.stringMatching(/^\d+$/),
        },
        validUntil: new Date(app.market.now.getTime() + 60_000).toISOString(),
      });
      expect(BigInt(body["amountToGetUnits"] as string)).toBe(BigInt(Math.round(Number(body["amountToGet"]) * 1e6)));

      const reverse = { claimedDepositAmount: body["amountToGet"] as string, claimedDepositAmountCurrency: USDT };
      expect(await rate({ rateMode, markupBps: "100", instrumentToSlug: USDT, ...reverse })).toMatchObject({
        http: 200,
        body: { amountToGet: body["amountToGet"] },
      });
    }
  });

  test("that can't be had names every reason, with the exact limits in both coins", async () => {
    const { http, body } = await rate({ claimedDepositAmount: "0.0001" });
    expect(http).toBe(422);
    const data = body["data"] as { expected: string; reasons: Record<string, string>[] };
    expect(body).toMatchObject({ status: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL" });
    expect(data.reasons).toEqual([
      {
        status: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
        message: expect.any(String),
        sourceAmountLimit: data.expected,
        destinationAmountLimit: expect.stringMatching(/^\d+(\.\d+)?$/),
        sourceAmountLimitUnits: `${parseAmount(data.expected, 18)}`,
        destinationAmountLimitUnits: `${parseAmount(data.reasons[0]?.["destinationAmountLimit"] ?? "", 6)}`,
      },
    ]);
    const limit = data.reasons[0]?.["destinationAmountLimit"] ?? "";
    const least = { claimedDepositAmount: limit, claimedDepositAmountCurrency: "usdt-erc20" };
    expect(await rate(least)).toMatchObject({ http: 200, body: { amountToGet: limit } });

    expect(await rate({ instrumentFromSlug: "eip155:1/slip44:0" })).toMatchObject({
      http: 400,
      body: { status: "ERR_VALIDATION", data: { instrumentFromSlug: expect.any(String) } },
    });
    for (const markupBps of ["501", "-1", "1.5", "1e2"])
      expect(await rate({ markupBps })).toMatchObject({ http: 400, body: { data: { markupBps: expect.any(String) } } });
  });
});
