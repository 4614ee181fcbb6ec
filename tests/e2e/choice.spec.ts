import * as z from "zod";
import { compareDecimals, formatAmount } from "#contract/money.ts";
import { applicationFor } from "../support/scenarios/http-swap.ts";
import { flow } from "./support/flow.ts";
import { untilSettled } from "./support/settled.ts";
import { orderBelowMinimum, orderPath, orderWithEndedRate } from "./support/orders.ts";
import { choiceOf, decimalOf, orderOf } from "./support/screens.ts";
import { expect } from "./support/test.ts";

flow(
  "a customer accepts the new rate and gets no less than the sum on the button",
  async ({ page, open, person, texts, api, chain }) => {
    const ended = await orderWithEndedRate(api);
    await open(orderPath(ended));
    const choice = choiceOf(page, texts);
    await expect(choice.accept).not.toBeChecked();
    await expect(choice.refund).not.toBeChecked();
    await expect(choice.undecided).toBeDisabled();

    await person.choose(choice.accept);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/accept-rate-mode-change")) asked.push(request.headers()["idempotency-key"] ?? "");
    });
    const promised = decimalOf((await choice.doAccept.innerText()).replace(/^\D+/, ""));
    await person.pressTwice(choice.doAccept);

    const order = orderOf(page, texts);
    await untilSettled(page, order.sentToYou);
    expect(asked).toHaveLength(1);
    const { contractAddress, precisionDecimals } = ended.pair.instrumentTo;
    if (contractAddress === null) throw new Error("the receiving coin is no token");
    const received = await chain.tokenBalance(contractAddress, ended.destinationAddress);
    // A market that has moved in the customer's favour gives the better sum.
    expect(compareDecimals(formatAmount(received, precisionDecimals), promised)).toBeGreaterThanOrEqual(0);
    expect(decimalOf(await order.delivered.innerText())).toBe(formatAmount(received, precisionDecimals));
  },
);

flow(
  "a customer gets the deposit back, less the quoted network fee",
  async ({ page, open, person, texts, api, chain }) => {
    const ended = await orderWithEndedRate(api);
    await open(orderPath(ended));
    const choice = choiceOf(page, texts);
    await person.choose(choice.refund);
    const promised = decimalOf((await choice.doRefund.innerText()).replace(/^\D+/, ""));
    await person.press(choice.doRefund);

    await untilSettled(page, choice.returned);
    if (ended.refundAddress === null) throw new Error("a fixed order has a refund address");
    const balance = await chain.call("eth_getBalance", [ended.refundAddress, "latest"], z.string());
    expect(formatAmount(BigInt(balance), 18)).toMatch(new RegExp(`^${promised.replace(".", "\\.")}`));
    expect(decimalOf(await orderOf(page, texts).delivered.innerText())).toBe(promised);
  },
);

flow(
  "a customer whose sum is too small gets it back at a validated address",
  async ({ page, open, person, texts, api, chain }) => {
    const order = await orderBelowMinimum(api);
    await open(orderPath(order));
    const choice = choiceOf(page, texts);
    await untilSettled(page, choice.tooLittle("0.001\u00A0ETH"));
    await expect(page.getByRole("heading", { name: texts.order("attention.topUp") })).toBeVisible();
    await person.press(choice.getRefund);
    await person.press(choice.doRefund);
    await expect(choice.address).toHaveAccessibleDescription(new RegExp(texts.order("refund.addressEmpty")));
    await person.type(choice.address, order.destinationAddress);
    await expect(choice.address).toHaveAccessibleDescription(new RegExp(texts.exchange("blocker.refundSame")));
    const to = (await applicationFor(api)).body.destinationAddress ?? "";
    await person.type(choice.address, to);
    await person.press(choice.doRefund);
    await untilSettled(page, choice.returned);
    expect(BigInt(await chain.call("eth_getBalance", [to, "latest"], z.string()))).toBeGreaterThan(0n);
  },
);
