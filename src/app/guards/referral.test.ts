import { describe, expect, it } from "vitest";
import { guest } from "./guard.ts";
import { referralCookie } from "../../shared/browser/referral.ts";
import { referral } from "./referral.ts";
import { guestContext, navigationTo } from "./testing/guest-context.ts";

describe("guard 3 (spec §2)", () => {
  it.each([
    ["/?ref=partner", ["partner"]],
    ["/order/x?destinationAddress=1&ref=a%20b", ["a b"]],
    ["/", []],
    ["/?ref=", []],
    [`/?ref=${"a".repeat(129)}`, []],
  ])("%s keeps %j and goes on", async (url, expected) => {
    const kept: string[] = [];
    expect(
      await referral(navigationTo(url), guestContext({ storeReferral: (given) => void kept.push(given) })),
    ).toBeNull();
    expect(kept).toEqual(expected);
  });

  it("leaves out what a signed-in person follows (contract §9)", async () => {
    const kept: string[] = [];
    const account = { ...guest, isAuthorised: true };
    const context = guestContext({ account, storeReferral: (given) => void kept.push(given) });
    expect(await referral(navigationTo("/?ref=partner"), context)).toBeNull();
    expect(kept).toEqual([]);
  });

  it("writes the cookie for 24 hours, for scripts of our own to read", () => {
    expect(referralCookie("a; b", true)).toBe("referralID=a%3B%20b; Max-Age=86400; Path=/; SameSite=Lax; Secure");
    expect(referralCookie("a", false)).toBe("referralID=a; Max-Age=86400; Path=/; SameSite=Lax");
  });
});
