import { afterEach, describe, expect, it, vi } from "vitest";
import type { RedirectRule } from "#contract/site/site.ts";
import { serverRedirects } from "./server-redirects.ts";
import { guestContext, navigationTo } from "./testing/guest-context.ts";

const rules: RedirectRule[] = [
  { from: "/old", to: "/exchange-eth-btc", status: 302 },
  { from: "/old/deep", to: "/", status: 301 },
  { from: "/with-query", to: "/exchange-eth-btc?amount=1#rates", status: 307 },
  { from: "/shop", to: "https://shop.example/x?y=1", status: 308 },
];
afterEach(() => vi.restoreAllMocks());

describe("guard 6 (spec §2)", () => {
  it.each([
    ["/old", "/exchange-eth-btc", 302],
    ["/ru/old", "/ru/exchange-eth-btc", 302],
    ["/old?ref=a", "/exchange-eth-btc?ref=a", 302],
    ["/ru/old/deep", "/ru", 301],
    ["/with-query?amount=2", "/exchange-eth-btc?amount=1#rates", 307],
    ["/ru/shop?a=1", "https://shop.example/x?y=1", 308],
  ])("%s goes to %s with %i", async (url, to, status) => {
    const redirect = await serverRedirects(navigationTo(url), guestContext({ redirects: async () => rules }));
    expect(redirect).toEqual({ kind: "redirect", to, status });
  });

  it.each(["/", "/old2", "/older/deep", "/OLD"])("%s stays", async (url) => {
    expect(await serverRedirects(navigationTo(url), guestContext({ redirects: async () => rules }))).toBeNull();
  });

  it("stays where the rules can't be had", async () => {
    vi.spyOn(console, "warn").mockReturnValue(undefined);
    const redirects = () => Promise.reject(new Error("no answer"));
    expect(await serverRedirects(navigationTo("/old"), guestContext({ redirects }))).toBeNull();
  });
});
