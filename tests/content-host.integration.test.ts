import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { openRemoteArticles } from "../server/content/remote-articles.ts";
import { renderedSite } from "./support/http/rendered-site.ts";

it("a host of the articles that never answers delays no other page, whoever waits for it", async () => {
  const asked = vi.fn();
  const server = createServer(asked);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const articles = openRemoteArticles({ host, log: { warn: vi.fn() }, timeoutMs: 60_000 });
  await using site = await renderedSite({ articles, hasRemoteArticles: true });
  const paths = ["/blog", "/docs", "/ru/blog/a", "/docs/b"];
  const readers = Array.from({ length: 20 }, (_, n) => site.get(`${paths[n % 4]}?r=${n}`, {}, `203.0.113.${n}`));
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), 10_000);
  for (const path of ["/", "/exchange-eth-btc", "/ru"]) {
    const { statusCode } = await site.get(path, {}, "198.51.100.1");
    expect([path, statusCode]).toEqual([path, 200]);
  }
  const statuses = (await Promise.all(readers)).map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([503]));
}, 60_000);
