import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SWRConfig } from "swr";
import { PageContext } from "../../../shared/page/page-context.ts";
import { render, until, type View } from "../../../shared/testing/render.tsx";
import { sampleAccount } from "../../../shared/testing/sample-account.ts";
import { createFakeService } from "../../../shared/testing/fake-service.ts";
import { AffiliatePage } from "./affiliate-page.tsx";

const USDT = { currencyTitle: "USDT", networkTitle: "TRX" };

let view: View;
const text = (): string => view.container.textContent.replace(/\s/g, " ");

async function open(balance: string, { isGone = false } = {}): Promise<void> {
  const service = createFakeService({
    "GET /api/v1/affiliates/referrer-id": () => ({
      referrerId: "X2RV0NG8",
      link: "https://wherry.example/?ref=X2RV0NG8",
      deeplink: null,
      shareBps: 3_000,
      cashbackBps: 500,
    }),
    "GET /api/v1/affiliates/balances": () => [
      { ...USDT, balance, held: "0", accruedTotal: balance, withdrawnTotal: "0" },
    ],
    "GET /api/v1/affiliates/withdrawal-terms": () => [
      { ...USDT, minimum: "10", networkFee: "1.2", reviewUsd: "500", newAddressUsd: "100" },
    ],
    "GET /api/v1/affiliates/statistics": () => ({
      ...USDT,
      clicks: 0,
      registrations: 0,
      orders: 0,
      earned: "0",
      days: [],
    }),
    "GET /api/v1/affiliates/accruals": () => ({ items: [], total: 0 }),
  });
  service.isGone = isGone;
  vi.stubGlobal("fetch", (request: Request) => service.fetch(request));
  view = await render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, errorRetryCount: 0 }}>
      <PageContext value={{ data: null, now: "2026-11-21T12:00:00.000Z", isSandbox: true }}>
        <AffiliatePage account={sampleAccount()} onDeleted={async () => undefined} />
      </PageContext>
    </SWRConfig>,
  );
  await until(() => text().includes(isGone ? "This page couldn’t be loaded" : "withdraw from 10"));
}

beforeEach(() => localStorage.clear());
afterEach(async () => {
  await view.unmount();
  vi.unstubAllGlobals();
});

test.each([
  ["nothing", "0", "outline", "Withdraw"],
  ["less than the minimum", "9.99", "outline", "Withdraw"],
  ["the minimum", "10", "filled", "Withdraw 10 USDT"],
])("the programme's main button withdraws only what can be: %s", async (_, balance, variant, label) => {
  await open(balance);
  const link = view.get<HTMLAnchorElement>('.w-affiliate__head a[href$="/profile/withdraw"]');
  expect(link.textContent.replace(/\s/g, " ")).toBe(label);
  expect([...link.classList]).toContain(`w-button--${variant}`);
});

test("what can't be loaded is on its way no more", async () => {
  await open("0", { isGone: true });
  expect(view.container.querySelectorAll(".w-affiliate__head .w-skeleton, dl .w-skeleton")).toHaveLength(0);
  expect([...view.container.querySelectorAll("dl dd")].map(({ textContent }) => textContent)).toEqual(
    Array.from({ length: 5 }, () => "—"),
  );
});
