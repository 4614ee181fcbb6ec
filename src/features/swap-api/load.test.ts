import { expect, test, vi } from "vitest";
import type { Api } from "#contract/site/ssr.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { loadSwapApi } from "./load.ts";

const coin = (slug: string, currencyTitle: string, networkTitle: string, instrumentType = "other") => ({
  slug,
  currencyTitle,
  networkTitle,
  instrumentType,
});
const eth = coin("eth", "ETH", "ETH");
const usdt = coin("usdt-erc20", "USDT", "ETH");
const answers: Record<string, unknown> = {
  instruments: [eth, usdt, coin("usdt-trc20", "USDT", "TRX"), coin("usd", "USD", "FIAT", "fiat")],
  pairs: [
    { from: "eth", to: ["usdt-erc20", "usdt-trc20"] },
    { from: "usdt-erc20", to: ["eth"] },
  ],
  defaultPair: { instrumentFrom: eth, instrumentTo: usdt },
  recommendedAmount: { recommendedAmount: "0.5" },
  rate: { instrumentFrom: eth, instrumentTo: usdt, amountToGet: "1491.5", ckm: "A" },
};
const apiOf = (rate: () => unknown): Api => {
  const call = async (name: string) => (name === "rate" ? rate() : answers[name]);
  return { call: call as Api["call"] };
};

test("the page counts what the server has, and shows what it answers", async () => {
  const { sample, ...counted } = await loadSwapApi(apiOf(() => answers["rate"]));
  expect(counted).toEqual({ coins: 2, networks: 2, pairs: 3 });
  expect(sample?.path).toBe(
    "/api/v2/rates/public/one?instrumentFromSlug=eth&instrumentToSlug=usdt-erc20&claimedDepositAmount=0.5",
  );
  expect(sample?.answer).toMatchObject({ instrumentFrom: { slug: "eth" }, amountToGet: "1491.5" });
  expect(sample?.answer).not.toHaveProperty("ckm");
});

test("without a rate now the page makes none up", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const refused = () => {
    throw new CallError({ kind: "coded", code: "ERR_PAIR_NOT_ACTIVE", message: "no", httpStatus: 422 });
  };
  expect(await loadSwapApi(apiOf(refused))).toMatchObject({ pairs: 3, sample: null });
});
