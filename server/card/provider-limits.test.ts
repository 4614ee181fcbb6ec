import { describe, expect, it } from "vitest";
import { createPeopleLimits, createRateLimits } from "./provider-limits.ts";
import { createAnswerCache } from "./answer-cache.ts";

const of = (n: number) => ({ address: `192.0.2.${n}`, network: null });

describe("questions to a provider", () => {
  it("are only so many for one client, and for all", () => {
    let now = 0;
    const mayAsk = createRateLimits(120, () => now);
    const askedBy = (client: ReturnType<typeof of> | null, isOrder = false) =>
      Array.from({ length: 200 }, () => mayAsk({ client, isOrder })).filter(Boolean).length;
    expect(askedBy(of(1))).toBe(20);
    expect(askedBy(of(2))).toBe(20);
    now += 1000;
    expect(askedBy(of(1))).toBe(2);
    expect(askedBy(null)).toBe(68);
    expect(askedBy(of(3))).toBe(0);
    expect(askedBy(of(1), true)).toBe(10);
  });
});

describe("questions about a person", () => {
  it("are only so many for one account, wherever it comes from, and for one client, whatever its accounts", () => {
    let now = 0;
    const ask = createPeopleLimits(() => now);
    const askedBy = (userId: number, client: (n: number) => ReturnType<typeof of>) => {
      let asked = 0;
      try {
        for (; asked < 200; asked += 1) ask(BigInt(userId), client(asked));
      } catch (error) {
        expect(error).toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE", retryAfterSeconds: 5 });
      }
      return asked;
    };
    expect(askedBy(1, of)).toBe(20);
    expect(askedBy(2, () => of(250))).toBe(20);
    expect(askedBy(3, () => of(250))).toBe(0);
    now += 1_000;
    expect(askedBy(1, of)).toBe(1);
  });
});

describe("an answer that is remembered", () => {
  it("is returned for a while longer where no further call is allowed", async () => {
    let now = 0;
    let asked = 0;
    const answers = createAnswerCache<number>(10, { staleMs: 60, now: () => now });
    const ask = (may: boolean) =>
      answers(
        "a",
        async () => (asked += 1),
        () => may,
      );
    await expect(ask(false)).rejects.toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE", retryAfterSeconds: 5 });
    expect(await ask(true)).toBe(1);
    now = 59;
    expect(await ask(false)).toBe(1);
    now = 60;
    await expect(ask(false)).rejects.toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE" });
    expect(await ask(true)).toBe(2);
  });
});
