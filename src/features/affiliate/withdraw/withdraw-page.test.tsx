import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { SWRConfig } from "swr";
import { PageContext } from "../../../shared/page/page-context.ts";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";
import { render, settled, until, type View } from "../../../shared/testing/render.tsx";
import { sampleAccount } from "../../../shared/testing/sample-account.ts";
import { createFakeService } from "../../../shared/testing/fake-service.ts";
import { withdrawal } from "../testing/samples.ts";
import { clearDraft } from "./draft.ts";
import { WithdrawPage } from "./withdraw-page.tsx";

const ADDRESS = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";
const USDT = { currencyTitle: "USDT", networkTitle: "TRX" };
const WITHDRAW = "POST /api/v1/affiliates/withdrawals";
const BALANCES = "GET /api/v1/users/wallet/balances";
const CHECK = "POST /api/v1/instruments/public/validate-address";
const MONTHLY = "/api/v1/affiliates/monthly-payout";
const NO_PAYOUT = {
  address: null,
  slug: "usdt-trc20",
  choices: ["usdt-trc20", "eth"],
  since: null,
  nextAt: "2026-12-01T00:00:00.000Z",
  lastOutcome: null,
};
const HISTORY = "GET /api/v1/affiliates/withdrawals";

let view: View;
let service: ReturnType<typeof createFakeService>;
const text = (): string => document.body.textContent.replace(/\s/g, " ");
const address = () => view.get<HTMLInputElement>("#withdraw-address");
const amount = () => view.get<HTMLInputElement>("#withdraw-amount");
const errorOf = (id: string) => document.getElementById(`${id}-error`)?.textContent.replace(/\s/g, " ") ?? null;

const type = (field: HTMLInputElement, value: string) =>
  settled(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
const submit = () => settled(() => view.get<HTMLFormElement>("form").requestSubmit());

async function open(userId = 7): Promise<void> {
  view = await render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
      <PageContext value={{ data: null, now: "2026-11-21T12:00:00.000Z", isSandbox: true }}>
        <WithdrawPage account={sampleAccount({ userId })} onDeleted={async () => undefined} />
      </PageContext>
    </SWRConfig>,
  );
  await until(() => view.container.querySelector("form") !== null);
}

async function fill(to: string, sum: string): Promise<void> {
  await type(address(), to);
  await type(amount(), sum);
}

beforeEach(() => {
  localStorage.clear();
  clearDraft();
  vi.spyOn(console, "warn").mockReturnValue();
  service = createFakeService({
    [BALANCES]: () => [{ ...USDT, balance: "128.4", held: "0" }],
    [HISTORY]: () => ({ items: [withdrawal()], total: 1 }),
    "GET /api/v1/affiliates/withdrawal-terms": () => [
      { ...USDT, minimum: "10", networkFee: "1.2", reviewUsd: "500", newAddressUsd: "100" },
    ],
    "GET /api/v2/instruments/public": () => [
      sampleInstrument("usdt-trc20", { ...USDT, networkFriendlyTitle: "Tron", precisionDecimals: 6 }),
      sampleInstrument("eth"),
    ],
    [CHECK]: () => ({ result: true, code: null }),
    [WITHDRAW]: () => ({ id: "8", status: "PENDING" }),
    [`GET ${MONTHLY}`]: () => NO_PAYOUT,
  });
  vi.stubGlobal("fetch", (request: Request) => service.fetch(request));
});

afterEach(async () => {
  await view.unmount();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("the withdrawal's form", () => {
  test("names both sums over which a withdrawal is checked first", async () => {
    await open();
    const text = view.container.textContent;
    expect(text).toMatch(
      /over \$500\S* in a day, or over \$100\S* to an address you first used less than 24 hours ago/,
    );
  });

  test("says on each field what is wrong, and sends nothing", async () => {
    await open();
    await submit();
    expect(errorOf("withdraw-address")).toBe("Enter the address to receive your USDT");
    expect(errorOf("withdraw-amount")).toBe("Enter an amount");
    expect(document.activeElement).toBe(address());

    await fill("TQn9", "9");
    expect([errorOf("withdraw-address"), errorOf("withdraw-amount")]).toEqual([null, null]);
    await submit();
    expect(errorOf("withdraw-address")).toContain("This is not a valid USDT address");
    expect(errorOf("withdraw-amount")).toBe("The smallest withdrawal is 10 USDT");

    await fill(ADDRESS, "128.5");
    await submit();
    expect(errorOf("withdraw-address")).toBeNull();
    expect(errorOf("withdraw-amount")).toBe("This is more than your balance");
    expect(document.activeElement).toBe(amount());
    expect(service.askedOf(WITHDRAW)).toEqual([]);
  });

  test("refuses what the service's check refuses", async () => {
    service.answers[CHECK] = () => ({ result: false, code: null });
    await open();
    await fill(ADDRESS, "50");
    await until(() => errorOf("withdraw-address")?.includes("This is not a valid USDT address") === true);
    await submit();
    expect(service.askedOf(WITHDRAW)).toEqual([]);
  });

  test("makes a check again that could not be made", async () => {
    service.answers[CHECK] = () => {
      throw new CodedError("ERR_SERVICE_UNAVAILABLE", "The service is away");
    };
    await open();
    await fill(ADDRESS, "50");
    await until(() => vi.mocked(console.warn).mock.calls.some(([what]) => what === "the address could not be checked"));
    service.answers[CHECK] = () => ({ result: false, code: null });
    await settled(() => dispatchEvent(new Event("online")));
    await until(() => errorOf("withdraw-address")?.includes("This is not a valid USDT address") === true);
  });

  test("adds up what leaves, what the network takes and what arrives, and cleans what is typed", async () => {
    await open();
    await type(amount(), "50,5 USDT");
    expect(amount().value).toBe("50.5");
    expect(text()).toContain("50.5 USDTNetwork fee−1.2 USDTArrives49.3 USDT");
    await settled(() => view.get(".w-withdraw__amount .w-button").click());
    expect(amount().value).toBe("128.4");
  });

  test("offers the amount of a pasted payment link, and takes its address", async () => {
    await open();
    await type(amount(), "50");
    await settled(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", `tron:${ADDRESS}?amount=12.5`);
      address().dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
    expect([address().value, amount().value]).toEqual([ADDRESS, "50"]);
    expect(text()).toContain("The link asks for 12.5 USDT");
    await settled(() =>
      [...view.container.querySelectorAll("button")].find((b) => b.textContent.startsWith("Use 12.5"))?.click(),
    );
    expect(amount().value).toBe("12.5");
    expect(text()).not.toContain("The link asks for");
  });

  test("withdraws: the window opens, the form is empty, balances and history are loaded anew", async () => {
    await open();
    await until(() => text().includes("Completed"));
    await fill(ADDRESS, "050.50");
    const before = [BALANCES, HISTORY].map((route) => service.askedOf(route).length);
    await submit();
    await until(() => text().includes("Withdrawal accepted"));
    expect(text()).toContain("50.5 USDT left your wallet");
    expect(service.askedOf(WITHDRAW).map(({ body }) => body)).toEqual([{ ...USDT, address: ADDRESS, amount: "50.5" }]);
    expect([address().value, amount().value]).toEqual(["", ""]);
    await until(() => [BALANCES, HISTORY].every((route, n) => service.askedOf(route).length > (before[n] ?? 0)));
  });

  test("says of a withdrawal that is checked first that it is", async () => {
    service.answers[WITHDRAW] = () => ({ id: "8", status: "REVIEW" });
    await open();
    await fill(ADDRESS, "50");
    await submit();
    await until(() => text().includes("We check it first"));
  });

  test.each<[string, CodedError, string | null, string | null]>([
    [
      "the smallest sum is the first number of the message",
      new CodedError("ERR_WITHDRAWAL_TOO_SMALL", "Minimum 25 of 100"),
      "The smallest withdrawal is 25 USDT",
      null,
    ],
    [
      "without a number",
      new CodedError("ERR_WITHDRAWAL_TOO_SMALL", "Too small"),
      null,
      "Something went wrong on our side. Nothing was withdrawn. Try again.",
    ],
    [
      "the balance has gone meanwhile",
      new CodedError("ERR_BALANCE_TOO_LOW", "x"),
      "This is more than your balance",
      null,
    ],
  ])("shows a refusal: %s (spec §8)", async (_, refusal, onAmount, general) => {
    service.answers[WITHDRAW] = () => {
      throw refusal;
    };
    await open();
    await fill(ADDRESS, "50");
    const before = service.askedOf(BALANCES).length;
    await submit();
    await until(() => errorOf("withdraw-amount") !== null || text().includes("Something went wrong"));
    expect(errorOf("withdraw-amount")).toBe(onAmount);
    if (general !== null) expect(text()).toContain(general);
    expect(amount().value).toBe("50");
    // spec §4: always.
    await until(() => service.askedOf(BALANCES).length > before);
  });

  test("sends the same key again after a lost answer, and another one for another sum", async () => {
    await open();
    await fill(ADDRESS, "50");
    service.answers[WITHDRAW] = () => {
      throw new TypeError("Failed to fetch");
    };
    await submit();
    await until(() => text().includes("We couldn’t confirm the withdrawal"));
    await submit();
    await until(() => service.askedOf(WITHDRAW).length === 2);
    await until(() => text().includes("We couldn’t confirm the withdrawal"));
    await type(amount(), "60");
    await submit();
    await until(() => service.askedOf(WITHDRAW).length === 3);
    const keys = service.askedOf(WITHDRAW).map(({ key }) => key);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test("keeps what was typed for who typed it while the login replaces the page", async () => {
    await open();
    await fill(ADDRESS, "50");
    await view.unmount();
    await open(8);
    expect([address().value, amount().value]).toEqual(["", ""]);
    await view.unmount();
    await open();
    expect([address().value, amount().value]).toEqual([ADDRESS, "50"]);
  });

  test("of earnings on another network takes its addresses, and names its coin", async () => {
    const onEthereum = { currencyTitle: "DAI", networkTitle: "ETH" };
    service.answers[BALANCES] = () => [
      { ...onEthereum, balance: "60", held: "0" },
      { ...USDT, balance: "128.4", held: "0" },
    ];
    service.answers["GET /api/v1/affiliates/withdrawal-terms"] = () => [
      { ...onEthereum, minimum: "10", networkFee: "1.2", reviewUsd: "500", newAddressUsd: "100" },
    ];
    service.answers["GET /api/v2/instruments/public"] = () => [
      sampleInstrument("dai-erc20", { ...onEthereum, networkFriendlyTitle: "Ethereum", precisionDecimals: 18 }),
    ];
    await open();
    const to = "0x52908400098527886E0F7030069857D2E4169EE7";
    await fill(to, "9");
    await submit();
    expect([errorOf("withdraw-address"), errorOf("withdraw-amount")]).toEqual([
      null,
      "The smallest withdrawal is 10 DAI",
    ]);
    await fill(to, "25");
    await submit();
    await until(() => text().includes("25 DAI left your wallet"));
    expect(service.askedOf(WITHDRAW).map(({ body }) => body)).toEqual([{ ...onEthereum, address: to, amount: "25" }]);
  });

  test("has its button in the bar that stays above the tabs", async () => {
    await open();
    expect(view.get(".w-bottom-bar button").getAttribute("type")).toBe("submit");
  });
});

describe("monthly payouts", () => {
  const button = (label: string) =>
    [...document.querySelectorAll<HTMLButtonElement>("button")].find((one) => one.textContent.startsWith(label));
  const press = (label: string) => settled(() => button(label)?.click());
  const SET = `POST ${MONTHLY}`;

  test("are set with an address that the service takes, and say when the next one is", async () => {
    const payout = { ...NO_PAYOUT, address: ADDRESS, since: "2026-11-21T12:00:00.000Z" };
    service.answers[SET] = () => {
      service.answers[`GET ${MONTHLY}`] = () => payout;
      return payout;
    };
    await open();
    await until(() => button("Set an address") !== undefined);
    await press("Set an address");
    const field = () => document.querySelector<HTMLInputElement>("#monthly-address");
    const send = () => settled(() => field()?.form?.requestSubmit());
    await send();
    expect(errorOf("monthly-address")).toBe("Enter the address to receive your USDT");
    const input = field();
    if (input === null) throw new Error("there is no field");
    await type(input, ADDRESS);
    await send();
    await until(() => text().includes("The next payout is on 1 December"));
    expect(service.askedOf(SET).map(({ body }) => body)).toEqual([{ address: ADDRESS, slug: "usdt-trc20" }]);
  });

  test("are set in another coin, whose addresses have another form, and say in which", async () => {
    const other = "0x52908400098527886E0F7030069857D2E4169EE7";
    const payout = { ...NO_PAYOUT, address: other, slug: "eth", since: "2026-11-21T12:00:00.000Z" };
    service.answers[SET] = () => {
      service.answers[`GET ${MONTHLY}`] = () => payout;
      return payout;
    };
    await open();
    await until(() => button("Set an address") !== undefined);
    await press("Set an address");
    const coin = document.querySelector<HTMLSelectElement>("#monthly-coin");
    if (coin === null) throw new Error("there is no choice");
    expect([...coin.options].map(({ value }) => value)).toEqual(["usdt-trc20", "eth"]);
    await settled(() => {
      coin.value = "eth";
      coin.dispatchEvent(new Event("change", { bubbles: true }));
    });
    const field = document.querySelector<HTMLInputElement>("#monthly-address");
    if (field === null) throw new Error("there is no field");
    await type(field, other);
    await settled(() => field.form?.requestSubmit());
    await until(() => text().includes("Paid in ETH"));
    expect(service.askedOf(SET).map(({ body }) => body)).toEqual([{ address: other, slug: "eth" }]);
  });

  test("say what came of the last month, and end at once", async () => {
    service.answers[`GET ${MONTHLY}`] = () => ({ ...NO_PAYOUT, address: ADDRESS, lastOutcome: "TOO_LITTLE" });
    service.answers[SET] = () => NO_PAYOUT;
    await open();
    await until(() => text().includes("Last month your balance was under the minimum"));
    await press("Switch off");
    expect(service.askedOf(SET).map(({ body }) => body)).toEqual([{ address: null }]);
  });

  test("that can't be ended say so", async () => {
    service.answers[`GET ${MONTHLY}`] = () => ({ ...NO_PAYOUT, address: ADDRESS });
    service.answers[SET] = () => {
      throw new CodedError("ERR_INTERNAL_SERVER_ERROR", "x");
    };
    await open();
    await until(() => button("Switch off") !== undefined);
    await press("Switch off");
    await until(() => view.container.querySelector(".w-note--danger")?.textContent.includes("went wrong") === true);
  });

  test("that can't be loaded say so, and try again", async () => {
    service.answers[`GET ${MONTHLY}`] = () => {
      throw new CodedError("ERR_BAD_REQUEST", "x");
    };
    await open();
    await until(() => button("Try again") !== undefined);
    service.answers[`GET ${MONTHLY}`] = () => NO_PAYOUT;
    await press("Try again");
    await until(() => button("Set an address") !== undefined);
  });

  test("are changed from the coin and the address that are set, a coin that is paid no more back to the wallet's", async () => {
    const other = "0x52908400098527886E0F7030069857D2E4169EE7";
    const fields = () => [
      document.querySelector<HTMLSelectElement>("#monthly-coin")?.value,
      document.querySelector<HTMLInputElement>("#monthly-address")?.value,
    ];
    service.answers[`GET ${MONTHLY}`] = () => ({ ...NO_PAYOUT, address: other, slug: "eth" });
    await open();
    await until(() => button("Change") !== undefined);
    await press("Change");
    expect(fields()).toEqual(["eth", other]);
    await view.unmount();

    service.answers[`GET ${MONTHLY}`] = () => ({ ...NO_PAYOUT, address: other, slug: "btc" });
    await open();
    await until(() => button("Change") !== undefined);
    await press("Change");
    expect(fields()).toEqual(["usdt-trc20", ""]);
  });
});
