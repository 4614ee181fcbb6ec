import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { accessToken, setAccessToken } from "../http/access-token.ts";
import { account } from "./account.ts";
import { followOtherTabs, keepAccount, resetAccount, restoreAccount } from "./account-store.ts";

const KEY = "wherry-account";
const ANN = {
  userId: 7,
  email: null,
  permissions: "USER" as const,
  adminPermissionsScope: null,
  isEmailConfirmed: false,
  isTelegramLinked: true,
  hasSecondFactor: false,
  createdAt: "2026-11-21T12:00:00.000Z",
};

beforeEach(() => {
  localStorage.clear();
  resetAccount();
});
afterEach(() => void vi.unstubAllGlobals());

describe("the account store (spec §3)", () => {
  test("keeps account data under a key of the product, and finds it again", () => {
    keepAccount(ANN);
    expect(JSON.parse(localStorage.getItem(KEY) ?? "")).toEqual(ANN);
    expect(account.fetchedAt).not.toBeNull();

    account.data = null;
    restoreAccount();
    expect(account.data).toEqual(ANN);
  });

  test("forgets data without a user id", () => {
    keepAccount(ANN);
    keepAccount({ ...ANN, userId: 0 });
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  test.each([
    ["no JSON", "{"],
    ["another shape", '{"userId":"7"}'],
    ["no user id", JSON.stringify({ ...ANN, userId: 0 })],
  ])("takes %s for nothing, and removes it", (_, kept) => {
    localStorage.setItem(KEY, kept);
    restoreAccount();
    expect(account.data).toBeNull();
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  test("is reset to a guest's", () => {
    keepAccount(ANN);
    setAccessToken("token");
    resetAccount();
    expect(account).toMatchObject({ data: null, fetchedAt: null });
    expect(accessToken()).toBeNull();
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  test("lives in memory where storage is denied", () => {
    const denied = () => {
      throw new DOMException("denied", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: denied, setItem: denied, removeItem: denied });
    keepAccount(ANN);
    account.data = null;
    restoreAccount();
    expect(account.data).toEqual(ANN);
    resetAccount();
    restoreAccount();
    expect(account.data).toBeNull();
  });

  test("keeps when it was fetched, for the 15 minutes of guard 2", () => {
    keepAccount(ANN);
    const { fetchedAt } = account;
    Object.assign(account, { data: null, fetchedAt: null });
    restoreAccount();
    expect(account.fetchedAt).toBe(fetchedAt);
  });

  describe("follows other tabs", () => {
    const changed = (key: string, newValue: string | null) =>
      dispatchEvent(new StorageEvent("storage", { key, newValue }));
    let left = 0;
    let stop = () => undefined as void;
    beforeEach(() => {
      left = 0;
      stop = followOtherTabs(() => (left += 1));
    });
    afterEach(() => stop());

    test("that sign in", () => {
      changed(KEY, JSON.stringify(ANN));
      expect(account.data).toEqual(ANN);
      expect(left).toBe(0);
    });

    test("whose session has ended, without leaving the page", () => {
      keepAccount(ANN);
      changed(KEY, null);
      expect(account.data).toBeNull();
      expect(left).toBe(0);
    });

    test("that sign out, and those where somebody else signs in, by leaving the page", () => {
      keepAccount(ANN);
      changed("wherry-signed-out", "1");
      expect(left).toBe(1);
      changed(KEY, JSON.stringify({ ...ANN, userId: 8 }));
      expect(left).toBe(2);
      expect(account.data?.userId).toBe(7);
    });
  });
});
