import { SWRConfig } from "swr";
import { afterEach, expect, test, vi } from "vitest";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { catalogue, click, fakeNetwork } from "../testing/exchange-page.tsx";
import { ETH, sampleRate, USDT } from "../testing/samples.ts";
import { ProfileCalculator } from "./profile-calculator.tsx";

let view: View;
afterEach(async () => {
  await view.unmount();
  vi.unstubAllGlobals();
});

const ANSWERS: Record<string, unknown> = {
  "/api/v2/instruments/public": catalogue.instruments,
  "/api/v2/pairs/public": catalogue.pairs,
  "/api/v1/pairs/default": { instrumentFrom: ETH, instrumentTo: USDT },
  "/api/v1/rates/public/recommended-amount": { recommendedAmount: "0.5" },
  "/api/v2/rates/public/one": sampleRate(),
};

test("the profile's calculator leads to the step before an order, and offers to load again where it could not", async () => {
  let isGone = true;
  fakeNetwork(async ({ url }) => {
    if (isGone) throw new TypeError("Failed to fetch");
    return { status: 200, body: ANSWERS[url] };
  });
  view = await render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, errorRetryCount: 0 }}>
      <ProfileCalculator />
    </SWRConfig>,
  );
  const until = (isThere: () => boolean) =>
    vi.waitFor(
      async () => {
        await settled();
        expect(isThere()).toBe(true);
      },
      { timeout: 10_000 },
    );
  await until(() => view.container.textContent.includes("The calculator couldn’t be loaded"));
  isGone = false;
  await click(view.get("button"));
  await until(() => view.container.querySelector("a[href^='/exchange-eth-usdt-erc20']") !== null);
  const next = view.get<HTMLAnchorElement>("a[href^='/exchange-eth-usdt-erc20']");
  expect(next.getAttribute("href")).toBe("/exchange-eth-usdt-erc20?amount=0.5&step=destination");
  expect(next.closest(".w-bottom-bar")).toBeNull();
});
