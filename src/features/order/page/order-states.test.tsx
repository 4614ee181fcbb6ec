import { act } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rememberForm } from "../../../shared/browser/created-orders.ts";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import type { Order, OrderEventKind } from "#contract/order.ts";
import { openOrder, type OrderScreen } from "../testing/order-screen.tsx";
import { at, deposit, sampleOrder, withdrawal } from "../testing/sample-order.ts";

const CREATED: OrderEventKind[] = ["CREATION_END"];
const PAID: OrderEventKind[] = [...CREATED, "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const CHANGED: OrderEventKind[] = [...PAID, "FIXED_RATE_SLOW_DEPOSIT_DETECTED", "RATE_MODE_CHANGED"];
const DAY = 90_000;
const created = sampleOrder(CREATED);
const expired = sampleOrder(CREATED, { status: "expired" });

let screen: OrderScreen;
const open = async (...args: Parameters<typeof openOrder>) => void (screen = await openOrder(...args));

beforeEach(() => {
  sessionStorage.clear();
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "debug").mockReturnValue();
});
afterEach(async () => {
  await screen.close();
  vi.restoreAllMocks();
});

const count = (path: string): number => screen.service.asked.filter((asked) => asked === path).length;

describe("an order that nobody paid in time", () => {
  it("stops looking, hides what was to be paid, and says so to screen readers", async () => {
    await open(created);
    screen.service.order = expired;
    await screen.pass(5.1);
    expect(screen.text()).toContain("This order has expired");
    expect(screen.text()).toContain("Don’t send anything to its deposit address any more");
    expect(screen.text()).toContain("we’ll send them back to your refund address");
    expect(screen.text()).not.toContain("Seen");
    expect(screen.box.innerHTML).not.toContain(expired.depositAddress);
    expect(screen.box.querySelector("[role=img], [role=timer]")).toBeNull();
    expect(await screen.announced()).toContain("This order has expired. Don’t send to its deposit address any more");
    const looks = count("public-info");
    await screen.pass(60);
    expect(count("public-info")).toBe(looks);
  });

  it("keeps its number whole in the sentence that asks to write it to the support", async () => {
    await open({ ...expired, refundAddress: null, userEmail: null }, DAY);
    const number = screen.box.querySelector(".w-order-number");
    expect(number?.textContent).toBe(expired.reference);
    expect(number?.parentElement?.textContent).toContain(`give the order number, ${expired.reference}.`);
  });

  const again = () =>
    [...screen.box.querySelectorAll("a")].find(({ textContent }) => textContent === "Create it again");
  const draft = (): unknown => JSON.parse(sessionStorage.getItem("exchange-draft:v1") ?? "null");

  it("can be created again with its pair, amount, mode, addresses and email", async () => {
    await open({ ...expired, destinationAddressMemo: "42", userEmail: "ann@mail.example" }, DAY);
    expect(again()?.getAttribute("href")).toBe("/exchange-eth-usdt-erc20?amount=0.5&mode=fixed");
    await screen.press("Create it again");
    expect(draft()).toEqual({
      pair: "eth-usdt-erc20",
      texts: { destination: expired.destinationAddress, memo: "42", refund: expired.refundAddress, refundMemo: "" },
      ticks: { isMemoWaived: false, areTermsAccepted: false },
      email: "ann@mail.example",
    });
  });

  it("is created again from the form that it was created with here, and without another person's email", async () => {
    const form = "/exchange-eth-usdt-erc20?amount=777.25&coin=usdt-erc20&mode=fixed";
    rememberForm(expired.orderId, form);
    const instrumentTo = { ...expired.pair.instrumentTo, requiresMemo: true };
    const pair = { ...expired.pair, instrumentTo };
    await open({ ...expired, pair, userEmail: "eve@mail.example", isEmailConfirmed: false }, DAY);
    expect(again()?.getAttribute("href")).toBe(form);
    await screen.press("Create it again");
    expect(draft()).toMatchObject({ ticks: { isMemoWaived: true }, email: null });
  });

  it("speaks of coins that have come late as of those, and leaves held ones to the note about them", async () => {
    await open({ ...expired, deposits: [deposit("0.5", 3)] }, DAY);
    expect(screen.text()).toContain("The coins that came later go back to your refund address");
    expect(screen.text()).not.toContain("If you’ve already sent");
    await screen.close();
    await open(
      {
        ...expired,
        deposits: [deposit("0.5", 3)],
        review: { reason: "LATE_DEPOSIT", needed: "OPERATOR", until: null },
      },
      DAY,
    );
    expect(screen.text()).toContain("Coins arrived after the order had ended");
    expect(screen.text()).not.toContain("refund address, less the network fee");
  });

  it("says who settles late coins where it has no refund address, in Russian too", async () => {
    const floating: Partial<Order> = { rateMode: "FLOATING", expiresAt: null, refundAddress: null };
    await open({ ...expired, ...floating, userEmail: "a@mail.example", deposits: [deposit("0.5", 3)] }, DAY, "ru");
    expect(screen.text()).toContain("Срок заявки истёк");
    expect(screen.text()).toContain("с вами согласует оператор");
    expect(screen.text()).toContain("Сохраните номер заявки 7KQ4-M2XD");
    expect(screen.text()).toContain("Платёж замечен");
    expect(screen.text()).toContain("Создать заново");
    expect(screen.text()).toContain("Ориентировочная сумма");
  });

  it.each([
    ["en", [], null],
    ["en", [deposit("0.5", 3)], null],
    ["ru", [deposit("0.5", 3)], { reason: "LATE_DEPOSIT", needed: "OPERATOR", until: null }],
  ] as const)("sends whom nobody can ask to the support, in %s with deposits %j", async (locale, deposits, review) => {
    await open({ ...expired, refundAddress: null, deposits: [...deposits], review }, DAY, locale);
    const { expired: texts, review: reviews } = allMessages(locale).order;
    const links = [...screen.box.querySelectorAll<HTMLAnchorElement>(".w-order__main a[href$='/support']")];
    expect(links.map(({ textContent }) => textContent)).toEqual([texts.write]);
    expect(links[0]?.parentElement?.textContent).toContain("7KQ4-M2XD");
    expect(screen.text()).not.toMatch(/our team will ask|согласует оператор/iu);
    expect(screen.text()).not.toContain(reviews.needed.OPERATOR);
  });
});

describe("a deposit that is in no block yet", () => {
  const seen = sampleOrder(PAID, { deposits: [deposit("0.5", 0)] });

  it.each([
    ["en", "Seen, waiting for its first block", "Deposit seen, unconfirmed", "0 of 3 confirmations"],
    ["ru", "Платёж замечен, ждёт первого блока", "Платёж замечен, не подтверждён", "0 из 3 подтверждений"],
  ] as const)("is described as unconfirmed, in %s", async (locale, title, row, label) => {
    await open(created, 60, locale);
    screen.service.order = seen;
    await screen.pass(5.1);
    expect(screen.text()).toContain(title);
    expect(screen.text()).toContain(row);
    expect(await screen.announced()).toContain(`${label}. ${title}`);
    screen.service.order = sampleOrder(PAID, { deposits: [deposit("0.5", 1)] });
    await screen.pass(5);
    await screen.announced();
    expect(screen.text()).not.toContain(title);
    expect(screen.text()).not.toContain(row);
  });
});

describe("a sum outside the bounds", () => {
  const bounds = { expected: "0.01", received: "0.001", countsFrom: null };
  const less = { rateMode: "FLOATING", expiresAt: null, deposits: [deposit("0.001", 3)] } satisfies Partial<Order>;
  const below = sampleOrder(PAID, { ...less, attention: { reason: "BELOW_MINIMUM", ...bounds } });

  it("below the minimum is shown with what is missing, and a top-up and a refund stand side by side", async () => {
    await open(sampleOrder(PAID, { ...less, deposits: [deposit("0.001", 2)] }));
    screen.service.order = below;
    await screen.pass(5.1);
    expect(screen.text()).toContain("You sent 0.001 ETH; the minimum is 0.01 ETH");
    expect(screen.text()).toContain("Minimum0.01 ETH");
    expect(screen.text()).toContain("Send at least 0.009 ETH more to the same address, on the Ethereum network only");
    expect(screen.text()).not.toContain("You can close this page");
    expect(screen.text(), "nothing is promised for another sum").toContain("Estimate (floating)1 490 USDT");
    expect(await screen.announced()).toContain("You sent 0.001 ETH; the minimum is 0.01 ETH");
    const styles = ["Copy address", "Get a refund"].map(
      (name) => [...screen.box.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.className,
    );
    expect(styles[0]).toMatch(/w-button/);
    expect(styles[1]).toBe(styles[0]);
    await screen.press("Get a refund");
    expect(document.body.textContent).toContain("We stop the exchange");
  });

  it("asks for what counts where less than that is missing", async () => {
    const attention = {
      reason: "BELOW_MINIMUM",
      expected: "0.01",
      received: "0.0095",
      countsFrom: "0.00063949558634535",
    } as const;
    await open(sampleOrder(PAID, { ...less, attention }));
    expect(screen.text()).toContain("Missing0.0005 ETH");
    expect(screen.text()).toContain("Send at least 0.0006395 ETH more");
    expect(screen.text()).toContain("more than the missing 0.0005 ETH: a smaller deposit doesn’t count");
  });

  it("of a fixed order that has no new rate is shown with its bound, and what helps", async () => {
    const attention = { reason: "BELOW_MINIMUM", ...bounds } as const;
    await open(sampleOrder(CHANGED, { deposits: [deposit("0.001", 3)], attention }));
    expect(screen.text()).toContain("You sent 0.001 ETH; the minimum is 0.01 ETH");
    expect(screen.text()).toContain("Send at least 0.009 ETH more to the same address");
    expect(screen.text()).toContain("Copy deposit address");
    await screen.close();
    await open(
      sampleOrder(CHANGED, { deposits: [deposit("0.001", 3)], attention: { ...attention, reason: "ABOVE_MAXIMUM" } }),
    );
    expect(screen.text()).toContain("You sent 0.001 ETH; the maximum is 0.01 ETH");
    expect(screen.text()).not.toContain("more to the same address");
  });

  it("leaves the refund's dialog open that was opened while the deposit was confirmed", async () => {
    await open(sampleOrder(PAID, { ...less, deposits: [deposit("0.001", 2)] }));
    await screen.press("Get a refund instead");
    const dialog = screen.box.querySelector("dialog");
    screen.service.order = below;
    await screen.pass(5.1);
    expect(screen.text()).toContain("You sent 0.001 ETH");
    expect([dialog?.isConnected, dialog?.open]).toEqual([true, true]);
  });

  it("above the maximum has a refund alone", async () => {
    await open({ ...below, attention: { ...bounds, reason: "ABOVE_MAXIMUM", expected: "0.0005" } }, 60, "ru");
    expect(screen.text()).toContain("Пришло 0.001 ETH, максимум 0.0005 ETH");
    expect(screen.text()).toContain("Максимум0.0005 ETH");
    expect(screen.text()).toContain("Вернуть деньги");
    expect(screen.text()).not.toContain("Доплатить");
  });

  it("that is too small to count is mentioned beside the address that still waits", async () => {
    const attention = { reason: "BELOW_MINIMUM", ...bounds, countsFrom: "0.00063949558634535" } as const;
    await open(sampleOrder(CREATED, { ...less, attention }));
    expect(screen.text()).toContain("0.001 ETH is too small to count");
    expect(screen.text()).toContain("deposits count from 0.0006395 ETH");
    expect(screen.text()).toContain("Copy address");
  });
});

describe("an order in review", () => {
  const REASONS = [
    ["WRONG_ASSET", "OPERATOR"],
    ["DEPOSIT_UNDONE", "NETWORK"],
    ["LATE_DEPOSIT", "OPERATOR"],
    ["DEPOSIT_CHECK", "OPERATOR"],
    ["PAYMENT_CHECK", "OPERATOR"],
    ["PAYMENTS_STOPPED", "OPERATOR"],
    ["NO_PROVIDER", "PROVIDER"],
    ["REFUND_TOO_SMALL", "TOP_UP"],
    ["REFUND_DELAYED", "TIME"],
    ["REFUND_STOPPED", "OPERATOR"],
  ] as const;
  const held = (
    reason: (typeof REASONS)[number][0],
    needed: (typeof REASONS)[number][1],
    until: string | null = null,
  ) => sampleOrder(PAID, { deposits: [deposit("0.5", 3)], review: { reason, needed, until } });

  it.each(REASONS)("by %s says why and what it waits for, in both languages", async (reason, needed) => {
    for (const locale of ["en", "ru"] as const) {
      const { review } = allMessages(locale).order;
      await open(held(reason, needed), 60, locale);
      const note = screen.box.querySelector(".w-order-review")?.textContent;
      const { title, text } = review[reason];
      const action = needed === "TOP_UP" ? review.copyAddress : "";
      expect(note).toBe(`${title}${text.replace("{{ticker}}", "ETH")} ${review.needed[needed]}${action}`);
      await screen.close();
    }
  });

  it("reads out when that begins, and until when where that is known", async () => {
    await open(sampleOrder(PAID, { deposits: [deposit("0.5", 3)] }));
    screen.service.order = held("PAYMENTS_STOPPED", "OPERATOR", "2026-11-21T18:30:00.000Z");
    await screen.pass(5.1);
    expect(screen.text()).toContain("Until 21 Nov 2026, 18:30 at the latest.");
    expect(await screen.announced()).toContain("Payments are paused");
    expect(screen.text()).toContain("On hold");
    expect(screen.text()).not.toContain("Sending to you");
  });

  it("by a check of its deposit isn't said to be sent, unless its payout has begun", async () => {
    await open(held("DEPOSIT_CHECK", "OPERATOR"));
    expect(screen.text()).toContain("On hold");
    expect(screen.text()).not.toContain("Sending to you");
    const { deposits, review } = screen.service.order;
    screen.service.order = sampleOrder([...PAID, "FUNDS_WITHDRAWAL_START"], { deposits, review });
    await screen.pass(5.1);
    expect(screen.text()).toContain("Sending to you");
  });

  it("says when a refund goes out that waits, and how to stop it", async () => {
    const review = { reason: "REFUND_DELAYED", needed: "TIME", until: "2026-11-21T14:10:00.000Z" } as const;
    await open(sampleOrder([...PAID, "REFUND_REQUESTED"], { deposits: [deposit("0.5", 3)], review }));
    expect(screen.text()).toContain("It goes out at 21 Nov 2026, 14:10 or soon after.");
    expect(screen.text()).toContain("stop it with the link in that message");
    expect(screen.text()).toContain("On hold");
  });

  it("isn't said to be sent back while it doesn't cover the network fee", async () => {
    const review = { reason: "REFUND_TOO_SMALL", needed: "TOP_UP", until: null } as const;
    await open(sampleOrder([...PAID, "REFUND_REQUESTED"], { deposits: [deposit("0.0001", 3)], review }));
    expect(screen.box.querySelectorAll(".w-timeline > li").length).toBeGreaterThan(2);
    expect(screen.box.querySelector(".w-timeline [aria-current]")).toBeNull();
    expect(screen.text()).toContain("On hold");
    expect(screen.text(), "more has to be sent").not.toContain("You can close this page");
    expect(screen.text()).toContain("Waiting for your top-up.");
  });

  it.each([
    ["what the network fee lacks", "0.0035", [deposit("0.0005", 3)]],
    ["no less than what counted before", "0.0025", [deposit("0.0025", 3)]],
  ])("says how much to send so that a refund goes out: %s", async (_, least, deposits) => {
    const review = { reason: "REFUND_TOO_SMALL", needed: "TOP_UP", until: null } as const;
    await open(sampleOrder(PAID));
    screen.service.refund = { refundAmountWithoutNetworkFee: "0", networkFee: "0.004" };
    screen.service.order = sampleOrder([...PAID, "REFUND_REQUESTED"], { deposits, review });
    await screen.pass(5.1);
    expect(screen.text()).toContain(
      `Send more than ${least} ETH to the same deposit address, and the refund goes out.`,
    );
    expect(screen.text(), "nothing would").not.toContain("You get back");
  });

  it("by another coin says that its own is still waited for, as long as none came", async () => {
    const review = { reason: "WRONG_ASSET", needed: "OPERATOR", until: null } as const;
    await open(sampleOrder(CREATED, { review }));
    expect(screen.text()).toContain("The order still waits for its ETH.");
    screen.service.order = sampleOrder(PAID, { review, deposits: [deposit("0.5", 1)] });
    await screen.pass(5.1);
    expect(screen.text()).not.toContain("still waits");
  });

  it("by a check of its deposit doesn't ask for it again", async () => {
    const review = { reason: "DEPOSIT_CHECK", needed: "OPERATOR", until: null } as const;
    await open(sampleOrder(CREATED, { review }));
    expect(screen.text()).toContain("don’t send it again");
  });

  it("whose deposit the network undid after it was complete needs nothing any more", async () => {
    const review = { reason: "DEPOSIT_UNDONE", needed: "NETWORK", until: null } as const;
    const done = { deposits: [deposit("0.5", 0)], withdrawals: [withdrawal("1490", "payout")], review };
    await open(sampleOrder([...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"], done));
    expect(screen.text()).toContain("This order is over. You don’t need to do anything.");
    expect(screen.text()).not.toContain("It continues by itself");
  });

  it("whose deposit the network undid after its payout was sent waits for nothing either", async () => {
    const review = { reason: "DEPOSIT_UNDONE", needed: "NETWORK", until: null } as const;
    const paying = (txId: string | null) => ({
      deposits: [deposit("0.5", 0)],
      withdrawals: [{ ...withdrawal("1490", "payout", txId), confirmations: 0 }],
      review,
    });
    await open(sampleOrder([...PAID, "FUNDS_WITHDRAWAL_START"], paying(null)));
    expect(screen.text()).toContain("It continues by itself");
    screen.service.order = sampleOrder([...PAID, "FUNDS_WITHDRAWAL_START"], paying("0xpaid"));
    await screen.pass(5.1);
    expect(screen.text()).toContain("Your coins are on their way already. You don’t need to do anything.");
    expect(screen.text()).not.toContain("It continues by itself");
  });

  it("says so under an order that has ended too", async () => {
    await open({ ...expired, review: { reason: "LATE_DEPOSIT", needed: "OPERATOR", until: null } }, DAY);
    expect(screen.text()).toContain("Coins arrived after the order had ended");
  });
});

describe("an order's headline", () => {
  const headline = () => screen.box.querySelector(".w-order__pair")?.textContent.replace(/\s/g, " ");
  const less = { deposits: [deposit("0.4", 3)] };
  const FLOATS: OrderEventKind[] = [...PAID, "RATE_MODE_CHANGED"];
  const back = { ...less, withdrawals: [withdrawal("0.3999", "refund")] };
  const out = { ...less, amountToGet: "1190", withdrawals: [withdrawal("1190", "payout")] };

  it.each<[string, Order, string]>([
    ["promises what is agreed", created, "0.5 ETH → 1 490 USDT"],
    ["promises nothing once the order is over", expired, "ETH → USDT"],
    ["promises nothing for another sum", sampleOrder(PAID, less), "ETH → USDT"],
    ["promises nothing while there is a choice", sampleOrder(FLOATS, less), "ETH → USDT"],
    [
      "promises nothing after a refund",
      sampleOrder([...FLOATS, "REFUND_REQUESTED", "REFUND_COMPLETED"], back),
      "ETH → USDT",
    ],
    [
      "says what was exchanged",
      sampleOrder([...FLOATS, "RATE_MODE_CHANGE_ACCEPTED", "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"], out),
      "0.4 ETH → 1 190 USDT",
    ],
  ])("%s", async (_case, order, said) => {
    await open(order);
    expect(headline()).toBe(said);
  });
});

describe("an order that changes while it is displayed", () => {
  const paid = sampleOrder(PAID, { deposits: [deposit("0.5", 1)] });
  const done = sampleOrder([...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"], {
    deposits: [deposit("0.5", 3)],
    withdrawals: [withdrawal("1490", "payout")],
  });
  const steps = () => screen.box.querySelector(".w-order__steps");

  it("moves the focus to its steps when what had it has gone", async () => {
    await open(created);
    const copy = [...screen.box.querySelectorAll("button")].find(({ textContent }) => textContent === "Copy address");
    copy?.focus();
    expect(document.activeElement).toBe(copy);
    screen.service.order = paid;
    await screen.pass(5.1);
    expect(copy?.isConnected).toBe(false);
    expect(document.activeElement).toBe(steps());
  });

  it("leaves the focus where it was left, and where its control stays", async () => {
    await open(created);
    const buttons = [...screen.box.querySelectorAll("button")];
    const copy = buttons.find(({ textContent }) => textContent === "Copy address");
    copy?.focus();
    copy?.blur();
    const link = buttons.find(({ textContent }) => textContent === "Copy link");
    screen.service.order = paid;
    await screen.pass(5.1);
    expect(document.activeElement).toBe(document.body);
    link?.focus();
    screen.service.order = done;
    await screen.pass(5.1);
    expect(document.activeElement).toBe(link);
  });

  it("animates its completion once, not when its page opens on it", async () => {
    const moved = () => screen.box.querySelector(".w-order--moved .w-order-receipt");
    await open(paid);
    screen.service.order = done;
    await screen.pass(5.1);
    expect(moved()).not.toBeNull();
    await screen.close();
    await open(done);
    expect(screen.text()).toContain("Sent to you");
    expect(moved()).toBeNull();
  });

  it("mentions a deposit that is too small to count", async () => {
    await open(created);
    const attention = {
      reason: "BELOW_MINIMUM",
      expected: "0.0017",
      received: "0.0002",
      countsFrom: "0.0006",
    } as const;
    screen.service.order = { ...created, attention };
    await screen.pass(5.1);
    expect(await screen.announced()).toContain("0.0002 ETH is too small to count");
  });
});

it("says when an order expired, with its day: that may come long after the order", async () => {
  await open({ ...expired, unpaidUntil: "2026-11-22T14:00:00.000Z" }, DAY);
  const [time] = screen.box.querySelectorAll(".w-timeline__item--warning time");
  expect(time?.textContent).toBe("22 Nov 2026, 14:00");
});

describe("a floating order", () => {
  it("says until when it waits for its deposit", async () => {
    const floating = { rateMode: "FLOATING", expiresAt: null } as const;
    await open(sampleOrder(CREATED, { ...floating, unpaidUntil: "2026-11-22T14:00:00.000Z" }));
    expect(screen.text()).toContain("Send it by 22 Nov 2026, 14:00. After that the order closes.");
    await screen.close();
    await open(sampleOrder(CREATED, floating));
    expect(screen.text()).not.toContain("Send it by");
  });

  it("takes its address away when its time is over, before the service says so", async () => {
    const floating = { rateMode: "FLOATING", expiresAt: null, unpaidUntil: at(62) } as const;
    await open(sampleOrder(CREATED, floating));
    expect(screen.box.querySelectorAll(".w-order-deposit, .w-order-deposit__qr")).toHaveLength(2);
    await screen.pass(3);
    expect(screen.box.querySelectorAll(".w-order-deposit, .w-order-deposit__qr")).toHaveLength(0);
  });
});

describe("an email that is being typed", () => {
  const field = () => screen.box.querySelector<HTMLInputElement>("#order-email");

  it("stays, with its focus, when the order comes to a choice and when it leaves it", async () => {
    await open(sampleOrder(PAID, { deposits: [deposit("0.5", 1)] }));
    const typed = field();
    if (typed === null) throw new Error("no email field");
    await act(async () => {
      // React's own setter would take the text for one that it has seen.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(typed, "ann@mail");
      typed.dispatchEvent(new Event("input", { bubbles: true }));
      typed.focus();
    });
    for (const kinds of [CHANGED, [...CHANGED, "REFUND_REQUESTED"]] satisfies OrderEventKind[][]) {
      screen.service.order = sampleOrder(kinds, { deposits: [deposit("0.5", 3)] });
      await screen.pass(5.1);
      expect(screen.text()).toContain(kinds === CHANGED ? "The fixed rate has ended" : "Refund requested");
      expect(field()).toBe(typed);
      expect(typed.value).toBe("ann@mail");
      expect(document.activeElement).toBe(typed);
    }
  });

  it("stands before the pinned button of a choice, which is the last on the page", async () => {
    await open(sampleOrder(CHANGED, { deposits: [deposit("0.5", 3)] }));
    const pinned = screen.box.querySelector(".w-order__pinned");
    expect(pinned?.textContent).toContain("Choose one to continue");
    expect(field()?.compareDocumentPosition(pinned ?? screen.box)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });
});

describe("the summary of an order that got another sum", () => {
  const sums = () =>
    [...screen.box.querySelectorAll(".w-order-summary .w-order-rows__row")].map(({ textContent }) =>
      textContent.replaceAll(/[\u00A0\u202F]/g, " "),
    );

  it.each([
    ["while nothing came", CREATED, {}, ["You send0.5 ETH"]],
    ["when that sum came", PAID, { deposits: [deposit("0.5", 3)] }, ["You send0.5 ETH"]],
    ["when less came", PAID, { deposits: [deposit("0.4", 1)] }, ["Order amount0.5 ETH", "Received0.4 ETH"]],
  ] as const)("%s", async (_case, kinds, changes, rows) => {
    await open(sampleOrder([...kinds], { ...changes, deposits: [...("deposits" in changes ? changes.deposits : [])] }));
    expect(sums().slice(0, rows.length)).toEqual(rows);
  });
});
