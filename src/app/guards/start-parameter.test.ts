import { expect, it } from "vitest";
import { startParameter } from "./start-parameter.ts";
import { guestContext, navigationTo } from "./testing/guest-context.ts";

it.each([
  ["/", null],
  ["/?tgWebAppStartParam=ex___btc-eth", "/exchange-btc-eth"],
  ["/ru?tgWebAppStartParam=order___pending&x=1", "/ru/order/pending"],
  ["/?tgWebAppStartParam=ref___partner", "/?ref=partner"],
  ["/?tgWebAppStartParam=ref___a&ref=b", "/?ref=a"],
  ["/?tgWebAppStartParam=shop___x", "/?link=unknown"],
  ["/?tgWebAppStartParam=", "/?link=unknown"],
  ["/ru?tgWebAppStartParam=ex___//evil.example", "/ru?link=unknown"],
])("%s goes to %s", async (url, to) => {
  expect((await startParameter(navigationTo(url), guestContext()))?.to ?? null).toBe(to);
});
