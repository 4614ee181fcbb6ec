import { getAddress } from "viem";
import * as z from "zod/mini";
import { describe, expect, it } from "vitest";
import { pairDataSchema, type PairData } from "#contract/rate.ts";
import type { Request } from "../support/http/api.ts";
import { bodyOf, randomAddress, rateOf } from "../support/scenarios/http-swap.ts";
import { CREATE, invalid, pairNotActive, refusingServer, unprocessable, type Body } from "../support/http/refusals.ts";

const server = refusingServer();

const claiming = (changes: Partial<Body["claimedPublicRate"]>, rate: PairData): Request => {
  const body = bodyOf(rate);
  return { path: CREATE, json: { ...body, claimedPublicRate: { ...body.claimedPublicRate, ...changes } } };
};
/** Decimal arithmetic on the wire's text: `text` times `percent` / 100. */
function scaled(text: string, percent: bigint): string {
  const [whole = "0", fraction = ""] = text.split(".");
  const digits = ((BigInt(whole + fraction) * percent) / 100n).toString().padStart(fraction.length + 1, "0");
  return fraction === "" ? digits : `${digits.slice(0, -fraction.length)}.${digits.slice(-fraction.length)}`;
}

describe("an invalid address", () => {
  const good = getAddress("0x52908400098527886e0f7030069857d2e4169ee7");
  const addresses: [string, string][] = [
    ["with a wrong checksum", good.replace("E", "e")],
    ["of Bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
    ["of an old Bitcoin kind", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
    ["of Tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
    ["without its prefix", good.slice(2)],
    ["with a digit too few", good.slice(0, -1)],
    ["with a digit too many", `${good}0`],
    ["of the zero account", `0x${"0".repeat(40)}`],
    ["that is empty", ""],
    ["that is blank", "   "],
    ["that is a script", "<script>alert(1)</script>"],
    ["that is a query", "'; drop table orders; --"],
    ["with an invisible sign", `${good}\u200b`],
    ["written backwards by a sign", `\u202e${good}`],
    ["that the database can't hold", "\u0000"],
    ["that is longer than any", `0x${"a".repeat(10_000)}`],
  ];

  it.each(addresses)("%s", async (_, address) => {
    await server().expectRefused(server().creating({ destinationAddress: address }), invalid("destinationAddress"));
    await server().expectRefused(server().creatingFixed({ refundAddress: address }), invalid("refundAddress"));
  });

  it("that is the token's own contract", async () => {
    await server().expectRefused(
      server().creating({ destinationAddress: server().floating.instrumentTo.contractAddress ?? "" }),
      invalid("destinationAddress"),
    );
  });

  it.each([
    ["missing", undefined],
    ["null", null],
    ["a number", 5],
    ["a list", [good]],
  ])("that is %s", async (_, value) => {
    const { destinationAddress: _left, ...body } = bodyOf(server().floating);
    await server().expectRefused(
      { path: CREATE, json: { ...body, destinationAddress: value } },
      invalid("destinationAddress"),
    );
  });

  it("is reported by validate-address, which changes nothing either", async () => {
    const before = await server().rows();
    for (const [, address] of addresses.filter(([, text]) => !/\0/.test(text) && text.length < 512)) {
      const body = { currencyTitle: "USDT", networkTitle: "ETH", address };
      expect(await server().api.call("validateAddress", { body })).toMatchObject({ result: false });
    }
    expect(await server().rows()).toEqual(before);
  });
});

describe("an unavailable pair", () => {
  const ref = (slug: string, currencyTitle: string, networkTitle: string) => ({ slug, currencyTitle, networkTitle });

  it("the same instrument twice", async () => {
    await server().expectRefused(server().rating({ instrumentToSlug: "eth" }), invalid("instrumentToSlug"));
    await server().expectRefused(
      server().creating({ instrumentTo: ref("eth", "ETH", "ETH") }),
      invalid("instrumentTo.slug"),
    );
  });

  it("an inactive one", async () => {
    // Money is exchanged with `exchangeType=fiat` alone.
    await server().expectRefused(server().rating({ instrumentToSlug: "usd" }), pairNotActive);
    await server().expectRefused(
      server().rating({ instrumentFromSlug: "usd", instrumentToSlug: "eth" }),
      pairNotActive,
    );
    // By card, and for whoever is signed in alone.
    const unauthorised = { http: 401, code: "ERR_UNAUTHORIZED" } as const;
    await server().expectRefused(server().creating({ instrumentTo: ref("usd", "USD", "USD") }), unauthorised);
    await server().expectRefused(server().creating({ instrumentFrom: ref("usd", "USD", "USD") }), unauthorised);
  });

  it.each(["nope", "constructor", "__proto__", "ETH", "eth ", "../eth", "eth-usdt-erc20", "a".repeat(5_000)])(
    "the unknown slug %s",
    async (slug) => {
      await server().expectRefused(server().rating({ instrumentFromSlug: slug }), invalid("instrumentFromSlug"));
      await server().expectRefused(server().rating({ instrumentToSlug: slug }), invalid("instrumentToSlug"));
      await server().expectRefused(
        server().creating({ instrumentFrom: ref(slug, "ETH", "ETH") }),
        invalid("instrumentFrom.slug"),
      );
    },
  );

  it("titles of another instrument than the slug's", async () => {
    await server().expectRefused(
      server().creating({ instrumentTo: ref("usdt-erc20", "USDC", "ETH") }),
      invalid("instrumentTo"),
    );
  });
});

describe("a fixed rate's refund address", () => {
  it("missing", async () => {
    for (const refundAddress of [undefined, null, ""])
      await server().expectRefused(server().creatingFixed({ refundAddress }), invalid("refundAddress"));
  });

  it("equal to the destination, in any spelling", async () => {
    const address = randomAddress();
    for (const refundAddress of [
      address,
      address.toLowerCase(),
      `0x${address.slice(2).toUpperCase()}`,
      `  ${address} `,
    ]) {
      const failure = await server().expectRefused(
        server().creatingFixed({ destinationAddress: address, refundAddress }),
        invalid("refundAddress"),
      );
      expect(failure.data).toEqual({ refundAddress: "error_address_must_be_different" });
    }
  });
});

describe("a claimed rate", () => {
  const expectFreshRate = async (request: Request): Promise<void> => {
    const failure = await server().expectRefused(request, unprocessable);
    z.parse(pairDataSchema, failure.data?.["rate"]);
  };

  it.each([103n, 97n, 1_000n, 0n])("of %s percent of the floating one", async (percent) => {
    const { price, amountToGet } = server().floating;
    await expectFreshRate(claiming({ price: scaled(price, percent) }, server().floating));
    await expectFreshRate(claiming({ claimedAmountToReceive: scaled(amountToGet, percent) }, server().floating));
    await expectFreshRate(
      claiming(
        { price: scaled(price, percent), claimedAmountToReceive: scaled(amountToGet, percent) },
        server().floating,
      ),
    );
  });

  it("that is floating, of another amount", async () => {
    await expectFreshRate(server().creating({ claimedDepositAmount: "0.6" }));
  });

  it("that is fixed and was never quoted", async () => {
    const lastDigit = (text: string) => text.replace(/\d$/, (digit) => `${(Number(digit) + 1) % 10}`);
    const later = new Date(Date.parse(server().fixed.updatedAt) + 1).toISOString();
    await expectFreshRate(claiming({ price: lastDigit(server().fixed.price) }, server().fixed));
    await expectFreshRate(claiming({ claimedAmountToReceive: lastDigit(server().fixed.amountToGet) }, server().fixed));
    await expectFreshRate(claiming({ updatedAt: later }, server().fixed));
    await expectFreshRate(server().creatingFixed({ claimedDepositAmount: "0.51" }));
    await expectFreshRate({
      path: CREATE,
      json: { ...bodyOf(server().floating), rateMode: "FIXED", refundAddress: randomAddress() },
    });
  });

  it("that is fixed and has expired", async () => {
    const quoted = await rateOf(server().api, { rateMode: "FIXED" });
    await server().api.call("sandboxClock", { body: { advanceSeconds: 61 } });
    await expectFreshRate({ path: CREATE, json: bodyOf(quoted) });
  });
});

it("after all of it the server is healthy and accepts valid calls", async () => {
  await server().expectUnharmed();
});
