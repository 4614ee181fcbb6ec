import { expect, test } from "vitest";
import { parentPage } from "./parent-page.ts";

test.each<[page: string, parent: string | null]>([
  ["/", null],
  ["/ru", null],
  ["/orders", null],
  ["/ru/orders", null],
  ["/exchange-eth-ton?amount=5", null],
  ["/exchange-eth-ton?step=other", null],
  ["/exchange-eth-ton?amount=5&step=destination", "/exchange-eth-ton?amount=5"],
  ["/ru/exchange-eth-ton?step=destination", "/ru/exchange-eth-ton"],
  ["/order/0197?destinationAddress=x", "/orders"],
  ["/ru/order/pending", "/ru/orders"],
  ["/profile/info", null],
  ["/ru/profile/info", null],
  ["/profile/keys", "/profile/info"],
  ["/ru/profile/keys", "/ru/profile/info"],
  ["/popular-exchanges", "/"],
  ["/ru/popular-exchanges", "/ru"],
  ["/blog", "/"],
  ["/ru/blog/page2", "/ru/blog"],
  ["/docs/fees", "/docs"],
  ["/support", "/"],
  ["/ru/terms", "/ru"],
  ["/nowhere", "/"],
  ["/order/%E0%A4%A", "/"],
])("%s belongs to %s", (page, parent) => {
  const [path = "", search = ""] = page.split("?");
  expect(parentPage(path, search)).toBe(parent);
});
