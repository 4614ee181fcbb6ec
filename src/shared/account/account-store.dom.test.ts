import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { accessToken, setAccessToken } from "../http/access-token.ts";
import { account } from "./account.ts";
import { keepAccount, resetAccount, restoreAccount } from "./account-store.ts";

const KEY = "wherry-account";
const ANN = {
  userId: 7,
  email: null,
  permissions: "USER" as const,
  adminPermissionsScope: null,
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
});
