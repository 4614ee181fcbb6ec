import { expect, it, vi } from "vitest";
import { CodedError } from "#contract/errors.ts";
import type { PairData, RateRequest } from "#contract/rate.ts";
import type { Log } from "../../base/logging/log.ts";
import { createLiveRates } from "./live-rates.ts";

it("a live card rate takes its questions out of its listeners' shares, one after another", async () => {
  const asked: unknown[] = [];
  const pairData = async (_: RateRequest, client?: unknown): Promise<PairData> => {
    asked.push(client);
    throw new CodedError("ERR_SERVICE_UNAVAILABLE", "not now");
  };
  const snapshot = { taken: (): void => undefined };
  const onSnapshot = (listener: () => void) => {
    snapshot.taken = listener;
    return () => undefined;
  };
  const live = createLiveRates({ pairData: vi.fn(), onSnapshot }, {} as Log, { pairData });
  const request = { instrumentFromSlug: "usd", instrumentToSlug: "ltc", exchangeType: "fiat" } as RateRequest;
  const [one, two] = ["192.0.2.1", "192.0.2.2"].map((address) => ({ address, network: null }));
  const offer = vi.fn();
  live.subscribe({ offer, ...(one && { client: one }) }, request);
  await vi.waitFor(() => expect(offer).toHaveBeenCalledTimes(1));
  live.subscribe({ offer, ...(two && { client: two }) }, request);
  for (const times of [2, 3, 4]) {
    snapshot.taken();
    await vi.waitFor(() => expect(asked).toHaveLength(times));
    await new Promise(setImmediate);
  }
  expect(new Set(asked)).toEqual(new Set([one, two]));
});
