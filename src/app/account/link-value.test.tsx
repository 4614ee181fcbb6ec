import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render, settled, type View } from "../../shared/testing/render.tsx";
import { createFakeService } from "../../shared/testing/fake-service.ts";
import { LinkValue } from "./link-value.tsx";

const PAGES = ["info", "wallet", "history", "verification", "affiliate-program", "cashback", "withdraw", "keys"];

let view: View;
let isNarrow = true;
let service: ReturnType<typeof createFakeService>;

async function open(): Promise<void> {
  view = await render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, errorRetryCount: 0 }}>
      {PAGES.map((page) => (
        <p key={page} id={page}>
          <LinkValue page={page} userId={7} />
        </p>
      ))}
    </SWRConfig>,
  );
  await settled();
}

const values = () => PAGES.map((page) => view.get(`#${page}`).textContent.replace(/\s/g, " "));

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: isNarrow === query.includes("<"),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  service = createFakeService({
    "GET /api/v1/users/wallet/balances": () => [
      { currencyTitle: "USDT", networkTitle: "TRX", balance: "128.4", held: "0" },
    ],
    "GET /api/v1/users/orders": () => ({ items: [], total: 14 }),
    "GET /api/v1/users/kyc/status": () => ({ status: "REJECT", rejectReason: null }),
    "GET /api/v1/affiliates/referrer-id": () => ({
      referrerId: "7KQ4M2XD",
      link: "https://wherry.example/?ref=7KQ4M2XD",
      deeplink: null,
      shareBps: 3000,
      cashbackBps: 500,
    }),
    "GET /api/v1/users/list-api-key": () => [],
  });
  vi.stubGlobal("fetch", (request: Request) => service.fetch(request));
});
afterEach(async () => {
  await view.unmount();
  vi.unstubAllGlobals();
});

test("a phone's list says of each page how it stands, and marks the one that needs the person", async () => {
  isNarrow = true;
  await open();
  await vi.waitFor(
    async () => {
      await settled();
      expect(values()).toEqual(["", "128.4 USDT", "14", "Not accepted", "30% of our fee", "5% of our fee", "", "0"]);
    },
    { timeout: 10_000 },
  );
  expect(view.container.querySelectorAll(".w-profile__value--signal")).toHaveLength(1);
});

test("beside a page nothing is asked for", async () => {
  isNarrow = false;
  await open();
  expect(values().join("")).toBe("");
  expect(service.asked).toEqual([]);
});
