import { afterEach, beforeEach, expect, it } from "vitest";
import { keepAccount, resetAccount, restoreAccount } from "../../shared/account/account-store.ts";
import { setAccessToken } from "../../shared/http/access-token.ts";
import { sampleAccount } from "../../shared/testing/sample-account.ts";
import { followRequestedPage } from "./requested-page.ts";

const requested = (next: string) => history.replaceState(null, "", `/?login&next=${encodeURIComponent(next)}`);
const current = () => location.pathname + location.search;
const signIn = () => {
  setAccessToken("token");
  keepAccount(sampleAccount());
};

let stop: () => void;
beforeEach(() => {
  stop = followRequestedPage();
});
afterEach(() => {
  stop();
  resetAccount();
  history.replaceState(null, "", "/");
});

it("opens the page that was asked for once the user is signed in", () => {
  requested("/ru/profile/history?state=OPEN");
  signIn();
  expect(current()).toBe("/ru/profile/history?state=OPEN");
});

it("waits for the sign-in where account data of before is restored", () => {
  signIn();
  setAccessToken(null);
  requested("/profile/keys");
  restoreAccount();
  expect(current()).toBe("/?login&next=%2Fprofile%2Fkeys");
  signIn();
  expect(current()).toBe("/profile/keys");
});

it.each(["https://example.com/", "//example.com", "/\\example.com"])("opens no page elsewhere: %s", (next) => {
  requested(next);
  const before = current();
  signIn();
  expect(current()).toBe(before);
});

it("leaves who has gone on meanwhile on the page that is open", () => {
  requested("/profile/keys");
  history.replaceState(null, "", "/orders");
  signIn();
  expect(current()).toBe("/orders");
});
