import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { boundedFetch } from "./bounded-fetch.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/` : "";
}

describe("a bounded fetch", () => {
  it("reads what fits, with its status and headers", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(418, { "x-kind": "tea" }).end("x".repeat(1_000));
    });
    const answer = await boundedFetch(1_000)(url);
    expect([answer.status, answer.headers.get("x-kind"), (await answer.text()).length]).toEqual([418, "tea", 1_000]);
  });

  it("refuses a longer answer by its length, before it is read", async () => {
    const url = await serve((_request, response) => void response.end("x".repeat(1_001)));
    await expect(boundedFetch(1_000)(url)).rejects.toThrow("longer than 1000 bytes");
  });

  it("stops reading an answer without end", async () => {
    let sent = 0;
    const url = await serve((_request, response) => {
      const send = () => {
        sent += 65_536;
        if (!response.destroyed && response.write("x".repeat(65_536))) setImmediate(send);
        else response.once("drain", send);
      };
      send();
    });
    const answer = await boundedFetch(1_000_000)(url);
    await expect(answer.text()).rejects.toThrow("longer than 1000000 bytes");
    expect(sent).toBeLessThan(100_000_000);
  });

  it("follows no redirect", async () => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    await expect(boundedFetch()(url, { method: "POST", body: "{}" })).rejects.toThrow();
    expect(asked).toEqual(["/"]);
  });
});
