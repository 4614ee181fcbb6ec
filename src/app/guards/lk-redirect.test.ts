import { expect, it } from "vitest";
import { lkRedirect } from "./lk-redirect.ts";
import { guestContext, navigationTo } from "./testing/guest-context.ts";

const signedIn = { isAuthorised: true, fetchedAt: 0, refresh: async () => undefined };
const guestOf = { ...signedIn, isAuthorised: false };

it.each([
  ["a guest", "/lk", guestOf, "/?login&next=%2Fprofile%2Finfo"],
  ["a guest", "/ru/lk", guestOf, "/ru?login&next=%2Fru%2Fprofile%2Finfo"],
  ["a guest", "/profile", guestOf, "/?login&next=%2Fprofile%2Finfo"],
  ["a guest", "/profile/info", guestOf, "/?login&next=%2Fprofile%2Finfo"],
  ["a guest", "/profile/history?state=open", guestOf, "/?login&next=%2Fprofile%2Fhistory%3Fstate%3Dopen"],
  ["a guest", `/profile/history?q=${"!".repeat(1_000)}`, guestOf, "/?login&next=%2Fprofile%2Finfo"],
  ["a guest", "/profiles", guestOf, null],
  ["a guest", "/", guestOf, null],
  ["who is signed in", "/lk", signedIn, "/profile/info"],
  ["who is signed in", "/ru/profile", signedIn, "/ru/profile/info"],
  ["who is signed in", "/profile/info", signedIn, null],
  ["who is signed in", "/orders", signedIn, null],
])("lk-redirect (contract §4) leads %s at %s on", async (_, url, account, to) => {
  const redirect = await lkRedirect(navigationTo(url), guestContext({ account }));
  expect(redirect?.to ?? null).toBe(to);
  if (to !== null) expect(redirect?.status).toBe(302);
});
