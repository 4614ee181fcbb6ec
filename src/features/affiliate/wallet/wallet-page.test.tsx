import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SWRConfig } from "swr";
import type { Credit } from "#contract/accounts/earnings.ts";
import { CodedError } from "#contract/errors.ts";
import { PageContext } from "../../../shared/page/page-context.ts";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";
import { render, settled, until, type View } from "../../../shared/testing/render.tsx";
import { sampleAccount } from "../../../shared/testing/sample-account.ts";
import { createFakeService } from "../../../shared/testing/fake-service.ts";
import { credit, withdrawal } from "../testing/samples.ts";
import { WalletPage } from "./wallet-page.tsx";

const USDT = { currencyTitle: "USDT", networkTitle: "TRX" };
const DEPOSITS = "GET /api/v1/users/wallet/deposits";
const BALANCES = "GET /api/v1/users/wallet/balances";

let view: View;
let credits: Credit[] = [];
let service: ReturnType<typeof createFakeService>;
const text = (): string => view.container.textContent.replace(/\s/g, " ");
const press = (name: string) =>
  settled(() => {
    const named = [...view.container.querySelectorAll<HTMLElement>("button")];
    named.find((button) => button.getAttribute("aria-label") === name || button.textContent === name)?.click();
  });

const open = async (): Promise<void> => {
  view = await render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, errorRetryCount: 0 }}>
      <PageContext value={{ data: null, now: "2026-11-21T12:00:00.000Z", isSandbox: true }}>
        <WalletPage account={sampleAccount()} onDeleted={async () => undefined} />
      </PageContext>
    </SWRConfig>,
  );
};

beforeEach(() => {
  localStorage.clear();
  credits = [credit()];
  service = createFakeService({
    [BALANCES]: () => [{ ...USDT, balance: "128.4", held: "25" }],
    [DEPOSITS]: ({ query }) => {
      const offset = Number(query.get("offset"));
      return { items: credits.slice(offset, offset + Number(query.get("limit"))), total: credits.length };
    },
    "GET /api/v1/affiliates/withdrawals": () => ({ items: [withdrawal({ status: "REJECTED" })], total: 1 }),
    "GET /api/v1/affiliates/withdrawal-terms": () => [
      { ...USDT, minimum: "10", networkFee: "1.2", reviewUsd: "500", newAddressUsd: "100" },
    ],
    "GET /api/v2/instruments/public": () => [sampleInstrument("usdt-trc20", { ...USDT, networkStandard: "TRC20" })],
  });
  vi.stubGlobal("fetch", (request: Request) => service.fetch(request));
});

afterEach(async () => {
  await view.unmount();
  vi.unstubAllGlobals();
});

describe("the wallet", () => {
  test("names what can be withdrawn, what is on its way, and the newest of both lists", async () => {
    await open();
    await until(() => text().includes("order 2VDN-K7EA"));
    expect(text()).toContain("128.4 USDT");
    expect(text()).toContain("25 USDT more is on its way out");
    expect(text()).toContain("Withdraw from 10 USDT");
    expect(text()).toContain("+0.62 USDT");
    // One that was refused has not left.
    expect(text()).toContain("50 USDTRefused, back in your balance");
    expect(text()).not.toContain("−50");
  });

  test.each([
    ["enough", "10", ["Withdraw"]],
    ["too little", "9.99", ["Exchange"]],
    ["nothing", "0", ["Exchange"]],
  ])("has one main button; with %s for a withdrawal it is %s", async (_, balance, main) => {
    service.answers[BALANCES] = () => [{ ...USDT, balance, held: "0" }];
    await open();
    await until(() => text().includes("Withdraw from 10 USDT"));
    const filled = [...view.container.querySelectorAll(".w-earnings__ways .w-button--filled")];
    expect(filled.map(({ textContent }) => textContent)).toEqual(main);
    expect(view.get<HTMLAnchorElement>(".w-earnings__ways a").href).toMatch(/\/profile\/withdraw$/);
  });

  test("turns the pages of its lists", async () => {
    credits = Array.from({ length: 14 }, (_, n) => credit({ id: String(n), amount: `${n + 1}` }));
    await open();
    await settled(() => view.get<HTMLInputElement>('input[value="deposits"]').click());
    await until(() => text().includes("1–10 of 14"));
    await press("Older");
    await until(() => text().includes("11–14 of 14"));
    expect(text()).toContain("+14 USDT");
    expect(service.askedOf(DEPOSITS).at(-1)?.query.get("offset")).toBe("10");
    await press("Newer");
    await until(() => text().includes("1–10 of 14"));
  });

  test("of an account that never earned says how the first comes about", async () => {
    credits = [];
    service.answers[BALANCES] = () => [{ ...USDT, balance: "0", held: "0" }];
    service.answers["GET /api/v1/affiliates/withdrawals"] = () => ({ items: [], total: 0 });
    await open();
    await until(() => text().includes("Nothing yet."));
    expect(text()).toContain("0 USDT");
  });

  test("that can't be loaded says so and tries again", async () => {
    const answer = service.answers[BALANCES];
    service.answers[BALANCES] = () => {
      throw new CodedError("ERR_INTERNAL_SERVER_ERROR", "x");
    };
    await open();
    await until(() => text().includes("This page couldn’t be loaded"));
    if (answer !== undefined) service.answers[BALANCES] = answer;
    await press("Try again");
    await until(() => text().includes("128.4 USDT"));
    expect(text()).not.toContain("couldn’t be loaded");
  });

  test("without a network is as it was seen last, with its age", async () => {
    await open();
    await until(() => text().includes("+0.62 USDT"));
    await until(() => text().includes("USDT on TRC20"));
    await view.unmount();
    service.isGone = true;
    await open();
    await until(() => text().includes("The newest figures couldn’t be loaded"));
    await until(() => text().includes("+0.62 USDT"));
    expect(text()).toContain("128.4 USDT");
    expect(text()).toContain("USDT on TRC20");
    expect(text()).toMatch(/As of .*, just now/);
  });
});
