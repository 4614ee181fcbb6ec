import { expect, it } from "vitest";
import { miniAppPage } from "./mini-app-page.ts";

const APP = "https://t.me/a_bot/app";
const ORDER = "2XyQ5rT8vW1zA4bC7dE0fG";

it.each([
  ["a page of the profile", "/profile/keys", "?startapp=me___keys"],
  ["the same in Russian", "/ru/profile/keys", "?startapp=me___keys"],
  ["a page whose query no deeplink can hold", "/profile/history?state=OPEN", "?startapp=me___history"],
  ["an order", `/order/${ORDER}?destinationAddress=0xAb1`, `?startapp=order___${ORDER}___0xAb1`],
  ["a page without a deeplink", "/orders", ""],
  ["the home page", "/ru?amount=1", ""],
])("the mini-app opens at %s", (_, requested, query) => {
  expect(miniAppPage(requested, APP)).toBe(APP + query);
});

it("opens nowhere without a mini-app, and as configured where it isn't on t.me", () => {
  expect(miniAppPage("/profile/keys", null)).toBeNull();
  expect(miniAppPage("/profile/keys", "https://example.com/app")).toBe("https://example.com/app");
});
