import { createServer } from "node:http";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { createBitcoinRpc } from "./bitcoin/rpc.ts";
import { createEvmRpc } from "./evm/rpc.ts";
import { createMoneroRpc } from "./monero/rpc.ts";
import { createTronRpc } from "./tron/rpc.ts";

const clients: [string, (url: string) => Promise<unknown>][] = [
  ["EVM", (url) => createEvmRpc(url, 2_000).call("eth_chainId", [], z.unknown(), { retryCount: 0 })],
  ["Bitcoin", (url) => createBitcoinRpc(url, 2_000).call("getblockcount", [], z.unknown())],
  ["Monero", (url) => createMoneroRpc(url, 2_000).call("get_info", {}, z.unknown())],
  [
    "TRON",
    (url) =>
      createTronRpc({ rpcUrl: url, solidityUrl: url, apiKey: "key", timeoutMs: 2_000 }).call(
        "wallet/getnowblock",
        {},
        z.unknown(),
      ),
  ],
];

it.each(clients)("the client of %s sends nothing to where a node redirects it", async (_network, call) => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    if (request.url === "/elsewhere") response.end('{"jsonrpc":"2.0","id":1,"result":1}');
    else response.writeHead(307, { location: "/elsewhere" }).end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");

  await expect(call(`http://127.0.0.1:${address.port}`)).rejects.toThrow();
  expect(asked.length).toBeGreaterThan(0);
  expect(asked).not.toContain("/elsewhere");
});
