import { describe, expect, it } from "vitest";
import type { Api } from "#contract/site/ssr.ts";
import { limitedApi } from "./limited-api.ts";

const answers: Record<string, unknown> = {
  instruments: [{ slug: "eth" }, { slug: "btc" }, { slug: "usd" }],
  pairs: [
    { from: "eth", to: ["btc", "ltc"] },
    { from: "btc", to: ["eth"] },
  ],
};
const api = { call: async (name: string) => answers[name] } as Api;

describe("limitedApi", () => {
  it.each([{ pairs: [] }, { pairs: ["eth-btc"] }])("trades nothing by card: $pairs", async ({ pairs }) => {
    expect(await limitedApi(api, pairs).call("instruments", { query: { providers: "mercuryo" } })).toEqual([]);
  });

  it("has every pair and coin where the widget names none", async () => {
    const limited = limitedApi(api, []);
    expect(await limited.call("pairs")).toBe(answers["pairs"]);
    expect(await limited.call("instruments", { query: { all: "true" } })).toBe(answers["instruments"]);
  });
});
