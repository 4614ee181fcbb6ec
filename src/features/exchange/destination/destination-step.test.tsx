import { act } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import { sampleRate } from "../testing/samples.ts";
import { catalogue, click, clip, fakeNetwork, openingAt, render, type, until } from "../testing/exchange-page.tsx";
import { clearAttempt } from "../creation/attempt.ts";
import { clearDraft } from "../store/draft.ts";
import { DestinationStep } from "./destination-step.tsx";

const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";
/** Another last character. */
const MISTYPED = "0x52908400098527886E0F7030069857D2E4169EE8";
const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const ORDER = "k".repeat(26);

const fixed = openingAt({ rateMode: "FIXED", firstRate: sampleRate({ rateMode: "FIXED" }) });

/** A server that knows addresses by their length, but for one that was mistyped, and creates an order only when it is let. */
function fakeServer() {
  const gate = Promise.withResolvers<{ status: number; body: unknown }>();
  const sent = fakeNetwork(async ({ url, body }) => {
    if (url.endsWith("/validate-address")) {
      const { address } = body as { address: string };
      const isValid = address.length === 42 && address !== MISTYPED;
      return { status: 200, body: { result: isValid, code: null } };
    }
    if (url.endsWith("/create")) return gate.promise;
    return { status: 503, body: { status: "ERR_SERVICE_UNAVAILABLE", message: "", traceId: "t" } };
  });
  return { answer: gate.resolve, creates: () => sent.filter(({ url }) => url.endsWith("/create")) };
}

const tagged = (instrument: Instrument): Instrument => ({
  ...instrument,
  networkTitle: "XRP",
  contractAddress: null,
  requiresMemo: true,
});

const paste = (field: HTMLInputElement, text: string) =>
  act(async () => {
    const clipboardData = { getData: () => text };
    field.dispatchEvent(Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData }));
  });

beforeEach(() => {
  clearDraft();
  clearAttempt();
  history.replaceState(null, "", "/exchange-eth-usdt-erc20?step=destination");
});
afterEach(() => void vi.unstubAllGlobals());

describe("DestinationStep", () => {
  it.each([
    ["app", "Paste or scan", true],
    ["widget", "Paste an address", false],
  ])("promises a scan in the %s where there is one", async (shell, placeholder, scans) => {
    document.documentElement.dataset["shell"] = shell;
    const { find, all, leave } = await render(<DestinationStep />, openingAt());
    expect(find<HTMLInputElement>("[name=destination-address]").placeholder).toBe(placeholder);
    expect(all("button").some(({ textContent }) => textContent?.startsWith("Scan"))).toBe(scans);
    await leave();
    delete document.documentElement.dataset["shell"];
  });

  it("shows every error at once with their count, and focuses the first", async () => {
    fakeServer();
    const { find, all, button, leave } = await render(<DestinationStep />, fixed);
    await click(button("Create order"));
    await until(() => expect(find(".w-destination__faults").textContent).toContain("3 fields need attention"));
    expect(all(".w-field__note--error").map((note) => note.textContent)).toEqual([
      "Enter the address to receive your USDT",
      "We need it to return your ETH if the order can’t be filled",
      "Tick this box to create the order",
    ]);
    expect(document.activeElement).toBe(find("[name=destination-address]"));
    await leave();
  });

  it("shows the server's verdict on an address as it is typed, and a refund to the same address at once", async () => {
    fakeServer();
    const { find, leave } = await render(<DestinationStep />, fixed);
    await type(find("[name=destination-address]"), "0x1234");
    await until(() => expect(find("#destination-address-error").textContent).toBe("This is not a valid USDT address."));
    await type(find("[name=destination-address]"), MISTYPED);
    await until(() => expect(find("#destination-address-error").textContent).toContain("Check the last characters."));
    expect(find(".w-address-field").textContent).toBe("");
    await act(async () => find("[name=destination-address]").blur());
    await until(() => expect(find(".w-address-field [data-address]").getAttribute("data-address")).toBe(MISTYPED));
    await act(async () => find("[name=destination-address]").focus());
    await type(find("[name=destination-address]"), ADDRESS);
    await until(() =>
      expect(find("#destination-address-valid").textContent).toContain("Checked: a valid USDT address"),
    );
    await type(find("[name=refund-address]"), ADDRESS);
    expect(find("#refund-address-error").textContent).toContain("must differ");
    await leave();
  });

  it("takes nothing of a link for another network and says so, until another is pasted", async () => {
    fakeServer();
    const { find, all, leave } = await render(<DestinationStep />, fixed);
    const field = find<HTMLInputElement>("[name=destination-address]");
    await type(field, "0x1234");
    field.setSelectionRange(0, 6);
    await paste(field, "litecoin:LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9?amount=1");
    expect(find(".w-link-notes").textContent).toContain("This link is for another network: LTC");
    expect(field.value).toBe("0x1234");

    field.setSelectionRange(0, 6);
    await paste(field, `ethereum:${ADDRESS}?value=1e18`);
    expect(field.value).toBe(ADDRESS);
    expect(all(".w-link-notes .w-note__title").map((title) => title.textContent)).toEqual([
      "This link asks for another coin",
    ]);
    await leave();
  });

  it("never sends a tag to another address than its own", async () => {
    fakeServer();
    const [first, second] = ["rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe", "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59"];
    const offered = { ...catalogue, instruments: catalogue.instruments.map(tagged) };
    const { find, all, leave } = await render(<DestinationStep />, fixed, offered);
    const notes = () => all(".w-link-notes .w-note__title").map((title) => title.textContent);
    for (const name of ["destination", "refund"]) {
      const address = find<HTMLInputElement>(`[name=${name}-address]`);
      const tag = find<HTMLInputElement>(`[name=${name}-memo]`);
      await clip(address, "paste", `xrpl:${first}?dt=12345`);
      expect([address.value, tag.value, notes()]).toEqual([first, "12345", []]);
      await clip(address, "paste", second);
      expect([address.value, tag.value, notes()]).toEqual([second, "", ["The destination tag was removed"]]);
      await type(tag, "77");
      expect(notes()).toEqual([]);
    }
    await leave();
  });

  it("refuses what is no tag while it is typed, counts it, and takes a tag in groups", async () => {
    fakeServer();
    const offered = { ...catalogue, instruments: catalogue.instruments.map(tagged) };
    const { find, all, leave } = await render(<DestinationStep />, fixed, offered);
    const wrong = () => all("[aria-invalid=true]").map((field) => (field as HTMLInputElement).name);
    const [tag, refundTag] = [
      find<HTMLInputElement>("[name=destination-memo]"),
      find<HTMLInputElement>("[name=refund-memo]"),
    ];
    await type(find("[name=refund-address]"), OTHER);
    await type(tag, "12\u0430 b3");
    await type(refundTag, "12345678901");
    expect([tag.value, wrong()]).toEqual(["12\u0430b3", ["destination-memo", "refund-memo"]]);
    await click(find("[type=submit]"));
    // The address, both tags and the terms.
    await until(() => expect(find(".w-destination__faults").textContent).toBe("4 fields need attention"));
    await type(tag, " 123 456 ");
    await type(refundTag, "");
    expect(tag.value).toBe("123456");
    expect(wrong()).not.toContain("destination-memo");
    expect(wrong()).not.toContain("refund-memo");
    await leave();
  });

  it("sends the tag of a payment link that is pasted after its need was denied", async () => {
    fakeServer();
    const offered = { ...catalogue, instruments: catalogue.instruments.map(tagged) };
    const { find, leave } = await render(<DestinationStep />, openingAt(), offered);
    await click(find("[name=no-memo]"));
    await clip(find("[name=destination-address]"), "paste", "xrpl:rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe?dt=12345");
    expect(find<HTMLInputElement>("[name=no-memo]").checked).toBe(false);
    expect(find<HTMLInputElement>("[name=destination-memo]").value).toBe("12345");
    await leave();
  });

  it("creates one order however often the button is pressed, and goes to it", async () => {
    const server = fakeServer();
    const { find, button, leave } = await render(<DestinationStep />, fixed);
    await type(find("[name=destination-address]"), ADDRESS);
    await type(find("[name=refund-address]"), OTHER);
    await click(find("[name=terms]"));
    await click(button("Create order"));
    await click(button("Create order"));
    await act(async () => void find("form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })));
    await until(() => expect(server.creates()).toHaveLength(1));
    expect(find("[type=submit]").textContent).toContain("Creating order");
    server.answer({ status: 200, body: createdOrder() });
    await until(() => expect(location.pathname).toBe(`/order/${ORDER}`));
    expect(new URLSearchParams(location.search).get("destinationAddress")).toBe(ADDRESS);
    expect(server.creates()).toHaveLength(1);
    expect(server.creates()[0]).toMatchObject({
      body: { destinationAddress: ADDRESS, refundAddress: OTHER, rateMode: "FIXED" },
    });
    expect(server.creates()[0]?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
    await leave();
  });

  it("says that nothing was created where only the rate stands in the way", async () => {
    const server = fakeServer();
    const unrated = openingAt({ firstRate: null, firstFailure: { kind: "not-loaded" } });
    const { find, all, button, leave } = await render(<DestinationStep />, unrated);
    await type(find("[name=destination-address]"), ADDRESS);
    await click(find("[name=terms]"));
    await click(button("Create order"));
    await until(() =>
      expect(all(".w-note").map((note) => note.textContent)).toContainEqual(expect.stringContaining("wasn’t created")),
    );
    expect(server.creates()).toHaveLength(0);
    await leave();
  });

  it("says what the first payment to an account must bring, and leads to the amount", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const server = fakeServer();
    const { find, button, leave } = await render(<DestinationStep />);
    await type(find("[name=destination-address]"), ADDRESS);
    await click(find("[name=terms]"));
    await click(button("Create order"));
    const [status, data] = ["ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL", { accountReserve: "1", reasons: [] }];
    server.answer({ status: 406, body: { status, message: "", traceId: "t", data } });
    await until(() => expect(find(".w-note__title").textContent).toBe("This USDT account doesn’t exist yet"));
    expect(find(".w-note").textContent).toMatch(/at least 1\sUSDT:/);
    expect(find(".w-note a").getAttribute("href")).toMatch(/^\/exchange-eth-usdt-erc20/);
    await leave();
  });

  it("shows the fresh rate when the claimed one has moved", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const server = fakeServer();
    const { find, button, leave } = await render(<DestinationStep />);
    await type(find("[name=destination-address]"), ADDRESS);
    await click(find("[name=terms]"));
    await click(button("Create order"));
    server.answer({
      status: 422,
      body: {
        status: "ERR_UNPROCESSABLE_ENTITY",
        message: "",
        traceId: "t",
        data: { rate: sampleRate({ amountToGet: "1450" }) },
      },
    });
    await until(() =>
      expect(find(".w-note").textContent).toContain("You now get 1\u202f450\u00a0USDT for 0.5\u00a0ETH"),
    );
    expect(find(".w-note--signal").textContent).toContain(
      "42.3\u00a0USDT (2.83%) less than the 1\u202f492.3\u00a0USDT shown before",
    );
    expect(find(".w-order-sum__amounts").textContent).toContain("about 1\u202f450\u00a0USDT");
    expect(find("[type=submit]").getAttribute("aria-disabled")).toBeNull();
    await leave();
  });
});

function createdOrder() {
  const { instrumentFrom, instrumentTo } = sampleRate();
  return {
    orderId: ORDER,
    reference: "7KQ4-M2XD",
    status: "CREATION_END",
    rateMode: "FIXED",
    pair: { instrumentFrom, instrumentTo },
    destinationAddress: ADDRESS,
    destinationAddressMemo: null,
    refundAddress: OTHER,
    refundAddressMemo: null,
    userEmail: null,
    isEmailConfirmed: true,
    claimedDepositAmount: "0.5",
    claimedPublicRate: {
      price: "2984.6",
      finalNetworkFeeAmount: "0.2",
      platformFee_Absolute: "7.5",
      claimedAmountToReceive: "1492.3",
    },
    amountToGet: "1492.3",
    createdAt: "2026-11-21T09:00:00.000Z",
    expiresAt: null,
    minConfirmationsToWithdraw: 3,
    depositAddress: "0xdeposit",
    depositAddressMemo: null,
    depositUri: "ethereum:0xdeposit",
    deposits: [],
    withdrawals: [],
    orderEvents: [],
    offer: null,
    attention: null,
    review: null,
    redirectUrl: null,
    estimatedSeconds: null,
    feesTaken: null,
    pricesUsd: null,
    unpaidUntil: null,
    finalPricesUsd: null,
  };
}
