import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Api } from "#contract/ssr.ts";
import { exchangeIndexGuard } from "./exchange-index-guard.ts";

const listed = [
  { slug: "eth", bestChangeName: "ETH" },
  { slug: "usdt-erc20", bestChangeName: "USDTERC20" },
];
const api = (answer: () => Promise<unknown>): Api => ({ call: (() => answer()) as Api["call"] });
const catalogue = api(async () => listed);
const guard = (url: string, from = catalogue) => {
  const [path = "", search = ""] = url.split("?");
  return exchangeIndexGuard(path, new URLSearchParams(search), from);
};

beforeEach(() => void vi.spyOn(console, "error").mockReturnValue(undefined));
afterEach(() => vi.restoreAllMocks());

describe("guard 1 (spec §2)", () => {
  it("sends a listing's link to its pair with the referral", async () => {
    expect(await guard("/exchange?cur_from=ETH&cur_to=USDTERC20&ref=partner 1")).toBe(
      "/exchange-eth-usdt-erc20?ref=partner+1",
    );
    expect(await guard("/?cur_from=USDTERC20&cur_to=ETH")).toBe("/exchange-usdt-erc20-eth");
  });

  it("sends an unknown instrument to the home page and says so", async () => {
    expect(await guard("/exchange?cur_from=ETH&cur_to=NOPE")).toBe("/");
    expect(console.error).toHaveBeenCalledTimes(1);
  });

  it("sends any failure to the home page", async () => {
    const failing = api(() => Promise.reject(new Error("no instruments")));
    expect(await guard("/exchange?cur_from=ETH&cur_to=USDTERC20", failing)).toBe("/");
    expect(console.error).toHaveBeenCalledTimes(1);
  });

  it("sends the bare index to the home page, and leaves the rest alone", async () => {
    expect(await guard("/exchange")).toBe("/");
    expect(await guard("/exchange?cur_from=ETH")).toBe("/");
    expect(await guard("/")).toBeNull();
    expect(await guard("/exchange-eth-btc?cur_from=ETH&cur_to=USDTERC20")).toBeNull();
  });
});
