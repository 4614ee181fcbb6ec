import { describe, expect, it } from "vitest";
import type { Request } from "../support/http/api.ts";
import { UNREADABLE_AMOUNT_JSON, WRONG_AMOUNT_JSON, WRONG_AMOUNT_TEXTS } from "../support/http/bad-amounts.ts";
import { bodyOf, rateOf } from "../support/scenarios/http-swap.ts";
import { CREATE, invalid, RATE, refusingServer, unreadable, type Body } from "../support/http/refusals.ts";

const server = refusingServer();

/** A body with one of its values replaced by a text that may be no JSON. */
const withRaw = (
  body: Body,
  path: "claimedDepositAmount" | "price" | "claimedAmountToReceive",
  raw: string,
): Request => {
  const marked =
    path === "claimedDepositAmount"
      ? { ...body, [path]: "@" }
      : { ...body, claimedPublicRate: { ...body.claimedPublicRate, [path]: "@" } };
  return { path: CREATE, text: JSON.stringify(marked).replace('"@"', raw) };
};
const nameOf = (text: string): string =>
  text.length > 30 ? `${text.slice(0, 12)}… (${text.length} characters)` : JSON.stringify(text);

describe("an invalid amount", () => {
  it.each(WRONG_AMOUNT_TEXTS.map((text) => [nameOf(text), text] as const))("%s", async (_, text) => {
    await server().expectRefused(server().rating({ claimedDepositAmount: text }), invalid("claimedDepositAmount"));
    await server().expectRefused(
      server().rating({ claimedDepositAmount: text, claimedDepositAmountCurrency: "usdt-erc20" }),
      invalid("claimedDepositAmount"),
    );
    await server().expectRefused(server().creating({ claimedDepositAmount: text }), invalid("claimedDepositAmount"));
  });

  it.each(WRONG_AMOUNT_JSON.map((raw) => [nameOf(raw), raw] as const))("%s as a JSON value", async (_, raw) => {
    await server().expectRefused(
      withRaw(bodyOf(server().floating), "claimedDepositAmount", raw),
      invalid("claimedDepositAmount"),
    );
    await server().expectRefused(withRaw(bodyOf(server().floating), "price", raw), invalid("claimedPublicRate.price"));
    await server().expectRefused(
      withRaw(bodyOf(server().floating), "claimedAmountToReceive", raw),
      invalid("claimedPublicRate.claimedAmountToReceive"),
    );
  });

  it.each(UNREADABLE_AMOUNT_JSON.map((raw) => [nameOf(raw), raw] as const))(
    "%s in place of a JSON value",
    async (_, raw) => {
      await server().expectRefused(withRaw(bodyOf(server().floating), "claimedDepositAmount", raw), unreadable);
    },
  );

  it("twice or as a list in a query", async () => {
    for (const query of [
      "claimedDepositAmount=0.5&claimedDepositAmount=0.6",
      "claimedDepositAmount[]=0.5",
      "claimedDepositAmount[a]=1",
    ])
      await server().expectRefused(
        { method: "GET", path: `${RATE}?instrumentFromSlug=eth&instrumentToSlug=usdt-erc20&${query}` },
        invalid("claimedDepositAmount"),
      );
  });

  it("finer than the receiving instrument, where that one is counted", async () => {
    const request = server().rating({
      claimedDepositAmount: "100.1234567",
      claimedDepositAmountCurrency: "usdt-erc20",
    });
    await server().expectRefused(request, invalid("claimedDepositAmount"));
  });

  it("but every digit of a valid one counts", async () => {
    for (const amount of ["0.123456789012345678", "0.9007199254740993"])
      expect(await rateOf(server().api, { amount })).toMatchObject({
        amountToGive: amount,
        claimedDepositAmount: amount,
      });
  });
});

describe("an amount outside the bounds", () => {
  const small = { http: 422, code: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL" } as const;
  const big = { http: 422, code: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG" } as const;
  const cases = [
    ["under the minimum", "0.000000000000000001", "usdt-erc20", "0.000001", small],
    ["over the maximum", "9007199254740993", "usdt-erc20", "9007199254740993", big],
  ] as const;

  it.each(cases)("%s names the bound, counted in what is sent", async (_, amount, reverse, reverseAmount, expected) => {
    const bound =
      expected === small ? server().floating.depositRules.minAmount : server().floating.depositRules.maxAmount;
    const data = { expected: bound, instrument: "eth" };
    for (const request of [
      server().rating({ claimedDepositAmount: amount }),
      server().rating({ claimedDepositAmount: reverseAmount, claimedDepositAmountCurrency: reverse }),
      server().creating({ claimedDepositAmount: amount }),
    ])
      expect((await server().expectRefused(request, expected)).data).toEqual(data);
    expect(
      (await server().expectRefused(server().rating({ claimedDepositAmount: amount, rateMode: "FIXED" }), expected))
        .data,
    ).toEqual({
      expected: expected === small ? server().fixed.depositRules.minAmount : server().fixed.depositRules.maxAmount,
      instrument: "eth",
      ...(expected === big && { floatingMax: server().floating.depositRules.maxAmount }),
    });
  });
});

it("after all of it the server is healthy and accepts valid calls", async () => {
  await server().expectUnharmed();
});
