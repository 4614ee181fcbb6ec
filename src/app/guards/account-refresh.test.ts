import { afterEach, describe, expect, it, vi } from "vitest";
import { accountRefresh, needsAccountRefresh } from "./account-refresh.ts";
import { guestContext, navigationTo } from "./testing/guest-context.ts";

const MINUTES_15 = 900_000;
afterEach(() => vi.restoreAllMocks());

describe("guard 2 (spec §2)", () => {
  it.each([
    [false, null, "home", false],
    [false, 0, "profile-info", false],
    [true, null, "home", true],
    [true, 0, "home", false],
    [true, -1, "home", true],
    [true, 1, "home", false],
    [true, MINUTES_15, "profile-info", true],
    [true, MINUTES_15, "profile", true],
    [true, MINUTES_15, "my-profile", false],
  ])("authorised %s, fetched at %s, on %s: %s", (isAuthorised, fetchedAt, routeName, expected) => {
    expect(needsAccountRefresh({ isAuthorised, fetchedAt, routeName, now: MINUTES_15 })).toBe(expected);
  });

  it("asks the account's store, and goes on when that fails", async () => {
    vi.spyOn(console, "warn").mockReturnValue(undefined);
    const refresh = vi.fn(() => Promise.reject(new Error("no answer")));
    const pageState = (fetchedAt: number) =>
      accountRefresh(
        navigationTo("/"),
        guestContext({ now: MINUTES_15, account: { isAuthorised: true, fetchedAt, refresh } }),
      );
    expect(await pageState(0)).toBeNull();
    expect(refresh).not.toHaveBeenCalled();
    expect(await pageState(-1)).toBeNull();
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(console.warn).toHaveBeenCalledTimes(1);
  });
});
