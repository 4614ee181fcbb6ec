import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exchangeIndex } from "./exchange-index.ts";
import { guestContext, fakeApi, navigationTo } from "./testing/guest-context.ts";

const listed = [
  { slug: "eth", bestChangeName: "ETH" },
  { slug: "usdt-erc20", bestChangeName: "USDTERC20" },
];
const catalogue = fakeApi({ instruments: () => listed });
const guard = async (url: string, api = catalogue) =>
  (await exchangeIndex(navigationTo(url), guestContext({ api })))?.to ?? null;

beforeEach(() => void vi.spyOn(console, "error").mockReturnValue(undefined));
afterEach(() => vi.restoreAllMocks());

describe("guard 1 (spec §2)", () => {
  it.each([
    ["/exchange?cur_from=ETH&cur_to=USDTERC20&ref=partner 1", "/exchange-eth-usdt-erc20?ref=partner+1"],
    ["/?cur_from=USDTERC20&cur_to=ETH", "/exchange-usdt-erc20-eth"],
    ["/ru/exchange?cur_from=ETH&cur_to=USDTERC20", "/ru/exchange-eth-usdt-erc20"],
    ["/ru//exchange/?cur_from=ETH&cur_to=USDTERC20", "/ru/exchange-eth-usdt-erc20"],
    ["/exchange", "/"],
    ["/ru/exchange", "/ru"],
    ["/exchange?cur_from=ETH", "/"],
    ["/", null],
    ["/?cur_to=ETH", null],
    ["/exchange-eth-btc?cur_from=ETH&cur_to=USDTERC20", null],
  ])("%s goes to %s, and nothing is logged", async (url, to) => {
    expect(await guard(url)).toBe(to);
    expect(console.error).not.toHaveBeenCalled();
  });

  it.each(["/exchange?cur_from=ETH&cur_to=NOPE", "/?cur_from=eth&cur_to=USDTERC20"])(
    "%s names an unknown instrument: it goes to the home page and says so",
    async (url) => {
      expect(await guard(url)).toBe("/");
      expect(console.error).toHaveBeenCalledTimes(1);
    },
  );

  it("asks for all instruments", async () => {
    const ask = vi.fn(() => listed);
    await guard("/exchange?cur_from=ETH&cur_to=USDTERC20", fakeApi({ instruments: ask }));
    expect(ask).toHaveBeenCalledWith({ query: { all: "true" } });
  });

  it("sends any failure to the home page of its language", async () => {
    expect(await guard("/ru/exchange?cur_from=ETH&cur_to=USDTERC20", fakeApi())).toBe("/ru");
    expect(console.error).toHaveBeenCalledTimes(1);
  });
});
